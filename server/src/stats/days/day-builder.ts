import { addDays } from '@trackside/contract/calendar/day.ts';
import type { WantedKind } from '../../control/nodes/wanted-builds.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import { type AddressRules, plainRules } from '../../text/address-rules.ts';
import type { Clock } from '../../time/clock.ts';
import { createAsOf } from './as-of.ts';
import { createBuildNumbers } from './build-numbers.ts';
import { createBuildQueue } from './build-queue.ts';
import { createBuildTurns } from './build-turns.ts';
import { clearBuilds, findOrphans } from './clear-builds.ts';
import { createLooks } from './create-looks.ts';
import { findStaleDays } from './find-stale-days.ts';
import { forgetVisitors } from './forget-visitors.ts';
import { isQuick, type LargeDays, usualLargeDays } from './large-days.ts';
import { findWithClients } from './look-back.ts';
import { createMakeReady } from './make-ready.ts';
import { type DayState, isFresh, needsBuild, readDays, type Span } from './read-days.ts';
import type { ReadyDays } from './ready-days.ts';
import { rebuildOutdated } from './rebuild-outdated.ts';
import { createRefreshDay } from './refresh-day.ts';
import { createReplacedBuilds } from './replaced-builds.ts';
import { createRunBuilds } from './run-builds.ts';
import { type BuildOwner, shareQueue } from './shared-queue.ts';
import { createSliceSizes } from './slice-sizes.ts';
import { createToldTimes, type ToldTimes } from './told-times.ts';

export type DayBuilderOptions = {
  store: Pick<Store, 'ofWebsite' | 'query'>;
  clock: Clock;
  log: Log;
  /** How many records one statement may hold in memory, if they are not unusually long. */
  recordsPerSlice: number;
  /**
   * For how long a look at the days is shared with others who ask for the same. With 0, nobody shares one.
   */
  sharedMs: number;
  /** How long a question waits for days to be built. If it is left out, as long as somebody looks at a screen. */
  patienceMs?: number;
  /**
   * Which addresses of a website are one page. Undefined for a website that is gone. If it is left out, no
   * website has chosen anything.
   */
  rulesOf?: (websiteId: number) => AddressRules | undefined;
  /** The store has everything that was received by this time. */
  completeUpToMs: () => number;
  /** The same, asked now, where several nodes answer questions. */
  learnCompleteMs?: () => Promise<number>;
  /** What answers of all nodes have said. */
  told?: ToldTimes | undefined;
  /** Who builds the days, if several nodes use the store. */
  owner?: BuildOwner | undefined;
  /** The number by which no other process builds. 0 for the only server on its store. */
  fence?: () => number;
  largeDays?: LargeDays;
};

export type DayBuilder = ReturnType<typeof createDayBuilder>;

/** This is longer than any build takes, so a build that is not current by then never will be. */
const orphanMs = 3_600_000;
const everyDay = { from: '1970-01-01', to: '2149-06-06' };
/** Counts as a separate website in the queue. */
const ofNoWebsite = 0;
const screenPatienceMs = 20_000;

/**
 * Builds the days of websites on demand, one long build and one quick one at a time, and removes builds that
 * nobody needs.
 */
export function createDayBuilder(options: DayBuilderOptions) {
  const { store, clock, log, recordsPerSlice, sharedMs, completeUpToMs } = options;
  const { rulesOf = () => plainRules, largeDays = usualLargeDays } = options;
  let isStopped = false;
  const isStopping = () => isStopped;
  const asOf = createAsOf();
  const replaced = createReplacedBuilds({ store, asOf, clock, log });
  const turns = createBuildTurns();
  const sliceSizes = createSliceSizes(recordsPerSlice, clock);
  const takeNumber = createBuildNumbers(clock, options.fence ?? (() => 0));
  const parts = {
    replaced,
    takeNumber,
    turns,
    isStopping,
    sliceSizes,
    largeDays,
    completeUpToMs,
    rulesOf,
    clock,
  };
  const runBuilds = createRunBuilds(parts);
  // Apart from the other one, because it runs in quick turns.
  const refreshDay = createRefreshDay({ ...parts, runBuilds: createRunBuilds(parts) });
  const looks = createLooks({ ...parts, inTurn: turns.long, log });
  const ownQueue = createBuildQueue({
    runBuilds,
    refreshDay,
    isQuick: (state, today) => isQuick(state, today, largeDays),
    turns,
    isStopping,
    onBuilt: looks.look,
    clock,
    log,
  });
  const queue = shareQueue(ownQueue, options.owner, store.ofWebsite);
  const { learnCompleteMs = completeUpToMs } = options;
  const { told = createToldTimes() } = options;
  const readyAll = createMakeReady({
    store,
    queue,
    asOf,
    completeUpToMs: learnCompleteMs,
    told,
    clock,
    sharedMs,
    patienceMs: options.patienceMs ?? screenPatienceMs,
  });

  async function startOverHere(websiteId: number, today: string): Promise<void> {
    const website = store.ofWebsite(websiteId);
    await turns.alone(ofNoWebsite, () => website.removeDays('all'));
    await ownQueue.rebuild(website, await readDays(website, everyDay), today, () => {});
  }

  async function buildPastDays(websiteId: number, period: Span, today: string): Promise<void> {
    const website = store.ofWebsite(websiteId);
    const stale = (await readDays(website, period)).filter((state) => needsBuild(state, today));
    if (stale.length > 0 && !isStopping()) await queue.buildOnce(website, stale, today);
  }

  /** Only while nothing is being built: what is being built belongs to no day yet, however long that takes. */
  async function clearOrphans(): Promise<void> {
    const orphans = await findOrphans(store, clock.now() - orphanMs);
    for (const [id, builds] of Map.groupBy(orphans, ({ websiteId }) => websiteId)) {
      if (isStopping()) return;
      await clearBuilds(store.ofWebsite(id), builds);
    }
  }

  return {
    ready: (websiteId: number, period: Span, today: string): Promise<ReadyDays> =>
      readyAll([period], today, { store: store.ofWebsite(websiteId), by: 'user' })[0]!,
    readyAll,
    /** Builds what another node wants, as the owner. */
    async buildWanted(websiteId: number, period: Span, today: string, kind: WantedKind): Promise<void> {
      const website = store.ofWebsite(websiteId);
      const days = await readDays(website, period);
      if (kind === 'afresh') return await startOverHere(websiteId, today);
      if (kind === 'all') return await ownQueue.rebuild(website, days, today, () => {});
      // A refresh can wait: the days have numbers, and each node would have them built after its own rest.
      const isDue = (state: DayState) =>
        kind !== 'refresh' || state.built === undefined || ownQueue.mayRefresh(websiteId, state, today);
      const due = days.filter((state) => needsBuild(state, today) && isDue(state));
      if (due.length > 0) await ownQueue.buildOnce(website, due, today);
    },
    /** Builds days whether they have changed or not. Calls `onProgress` after each part of them. */
    async rebuild(
      websiteId: number,
      period: { from: string; to: string },
      today: string,
      onProgress: (doneDays: number, allDays: number) => void,
    ): Promise<{ days: number; records: number }> {
      const website = store.ofWebsite(websiteId);
      const days = await readDays(website, period);
      await queue.rebuild(website, days, today, (done) => onProgress(done, days.length));
      if (options.owner?.isHere() ?? true) await looks.look(website, today);
      onProgress(days.length, days.length);
      return { days: days.length, records: days.reduce((sum, { records }) => sum + records, 0) };
    },
    /** Removes everything that was built of a website, while nothing is being built, and builds it again. */
    async startOver(websiteId: number, today: string): Promise<void> {
      const { owner } = options;
      if (owner === undefined || owner.isHere()) await startOverHere(websiteId, today);
      else await owner.askFor(websiteId, everyDay, 'afresh');
    },
    /** As the owner, runs work on builds while nothing is being built. */
    inTurn: <T>(work: () => Promise<T>) => turns.alone(ofNoWebsite, work),
    /** Removes visitors whose records are gone from all builds. */
    async forgetVisitors(websiteId: number, visitorIds: readonly string[], today: string): Promise<void> {
      const website = store.ofWebsite(websiteId);
      const inTurn = <T>(work: () => Promise<T>) => turns.alone(websiteId, work);
      const rebuild = (days: readonly string[]) =>
        turns.long(websiteId, async () => {
          const now = await readDays(website, { from: days[0]!, to: days.at(-1)! });
          const stale = now.filter((state) => days.includes(state.day) && !isFresh(state));
          await runBuilds(website, stale, today);
        });
      await forgetVisitors({ store: website, visitorIds, rebuild, inTurn });
    },
    /**
     * Does what nobody waits for: builds past days, and removes builds that nobody reads anymore.
     * `before` is a past day in every timezone.
     */
    async sweep(before: string): Promise<void> {
      for (const { websiteId, from, to } of await findStaleDays(store, before)) {
        await buildPastDays(websiteId, { from, to }, afterNext(before)).catch((error: unknown) => {
          // The other websites come next, whatever is wrong with this one.
          if (!isStopping())
            log.warn({ err: error, website: websiteId }, 'past days could not be calculated');
        });
        if (isStopping()) return;
      }
      await rebuildOutdated({ store, queue, rulesOf, recordsPerSlice, isStopping, log }, afterNext(before));
      if (isStopping()) return;
      for (const websiteId of await findWithClients(store, before))
        await looks.look(store.ofWebsite(websiteId), afterNext(before));
      if (isStopping()) return;
      if ((await findOrphans(store, clock.now() - orphanMs)).length > 0)
        await turns.alone(ofNoWebsite, clearOrphans);
    },
    /**
     * Waits for the build in progress, but not for long: its days are built again when someone asks for them.
     */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      isStopped = true;
      await turns.settle({ withinMs });
    },
  };
}

/** With this as today, a day before the given one is neither today nor yesterday. */
const afterNext = (day: string) => addDays(day, 1);
