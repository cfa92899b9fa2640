import { createDayBuilder } from '../../src/stats/days/day-builder.ts';
import { systemClock } from '../../src/time/clock.ts';
import { insertRecords, type TestRecord } from '../oracle/records.ts';
import { silentLog } from './test-engine.ts';
import { openTestStore } from './test-store.ts';

export const wholeYear = { from: '2026-01-01', to: '2026-12-31' };
const today = '2026-11-15';

export type TestDays = Awaited<ReturnType<typeof openTestDays>>;

/** Opens a store on its own engine, with days that are added up. Each test has its own websites in it. */
export async function openTestDays() {
  const { store, close } = await openTestStore();
  const days = createDayBuilder({
    store,
    clock: systemClock,
    completeUpToMs: Date.now,
    log: silentLog,
    recordsPerSlice: 1000,
    sharedMs: 0,
  });
  let lastWebsite = 100;

  /** Adds another website with these records. */
  async function addWebsite(records: readonly TestRecord[]) {
    lastWebsite += 1;
    if (records.length > 0) await insertRecords(store, lastWebsite, records);
    return store.ofWebsite(lastWebsite);
  }
  return {
    addWebsite,
    /** Adds a website, and adds up its days after each of the given batches. */
    async prepare(records: readonly TestRecord[], ...later: (readonly TestRecord[])[]) {
      const website = await addWebsite(records);
      let { builds } = await days.ready(website.websiteId, wholeYear, today);
      for (const [index, batch] of later.entries()) {
        await insertRecords(store, website.websiteId, batch, index + 2);
        ({ builds } = await days.ready(website.websiteId, wholeYear, today));
      }
      return { website, builds };
    },
    async close() {
      await days.stop({ withinMs: 10_000 });
      await close();
    },
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
