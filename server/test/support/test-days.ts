import type { Website } from '../../src/control/websites/website-row.ts';
import { createDayBuilder, type DayBuilderOptions } from '../../src/stats/days/day-builder.ts';
import { DaysNotReady, type ReadyDays } from '../../src/stats/days/ready-days.ts';
import { plainRules } from '../../src/text/address-rules.ts';
import { systemClock } from '../../src/time/clock.ts';
import { insertRecords, type TestRecord } from '../oracle/records.ts';
import { silentLog } from './test-engine.ts';
import { newWebsiteId, shareTestStore } from './test-store.ts';
import { waitFor } from './wait-for.ts';

export const wholeYear = { from: '2026-01-01', to: '2026-12-31' };
const today = '2026-11-15';

/** Opens a builder of days. Unless a test says otherwise, the store has everything that was received by now. */
export function openDayBuilder(
  store: DayBuilderOptions['store'],
  options: Partial<Omit<DayBuilderOptions, 'store'>> = {},
) {
  const { clock = systemClock } = options;
  return createDayBuilder({
    store,
    clock,
    completeUpToMs: clock.now,
    log: silentLog,
    recordsPerSlice: 1000,
    sharedMs: 0,
    patienceMs: 300_000,
    ...options,
  });
}

/** Returns the days of a website, however long it takes to build them. A question would not wait that long. */
export async function untilReady(
  days: Pick<ReturnType<typeof openDayBuilder>, 'ready'>,
  ...asked: Parameters<ReturnType<typeof openDayBuilder>['ready']>
): Promise<ReadyDays> {
  let ready: ReadyDays | undefined;
  await waitFor('the days to be built', async () => {
    ready = await days.ready(...asked).catch((error: unknown) => {
      if (error instanceof DaysNotReady) return undefined;
      throw error;
    });
    return ready !== undefined;
  });
  return ready!;
}

/** Returns a website as control has it. */
export function websiteOf(id: number, timezone = 'UTC'): Website {
  return {
    id,
    domain: 'a.test',
    timezone,
    contingent: null,
    createdAt: 0,
    name: '',
    version: 1,
    retentionDays: null,
    readOrigins: [],
    exclusions: [],
    deletingSince: null,
    ...plainRules,
  };
}

export type TestDays = Awaited<ReturnType<typeof openTestDays>>;

/** Opens the store that tests share, with days that are added up. Each test has its own websites in it. */
export async function openTestDays() {
  const { store } = await shareTestStore();
  const days = openDayBuilder(store);

  /** Adds another website with these records. */
  async function addWebsite(records: readonly TestRecord[]) {
    const websiteId = newWebsiteId();
    if (records.length > 0) await insertRecords(store, websiteId, records);
    return store.ofWebsite(websiteId);
  }
  return {
    addWebsite,
    /** Adds a website, and adds up its days after each of the given batches. */
    async prepare(records: readonly TestRecord[], ...later: (readonly TestRecord[])[]) {
      const website = await addWebsite(records);
      let { builds } = await untilReady(days, website.websiteId, wholeYear, today);
      for (const [index, batch] of later.entries()) {
        await insertRecords(store, website.websiteId, batch, index + 2);
        ({ builds } = await untilReady(days, website.websiteId, wholeYear, today));
      }
      return { website, builds };
    },
    close: () => days.stop({ withinMs: 300_000 }),
  };
}

export type PreparedWebsite = Awaited<ReturnType<TestDays['prepare']>>;

/** Asks as many at once as the engine has sessions. */
export async function askAll<Input>(inputs: readonly Input[], ask: (input: Input) => Promise<unknown>) {
  const left = [...inputs];
  const worker = async () => {
    for (let input = left.pop(); input !== undefined; input = left.pop()) await ask(input);
  };
  await Promise.all([worker(), worker(), worker()]);
}
