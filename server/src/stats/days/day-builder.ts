import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import type { Clock } from '../../time/clock.ts';
import { createBuildQueue } from './build-queue.ts';
import { clearBuilds, findOrphans } from './clear-builds.ts';
import { findStaleDays } from './find-stale-days.ts';
import { forgetVisitor } from './forget-visitor.ts';
import { createMakeReady, type Span } from './make-ready.ts';
import { createDayFreshness, isFresh, needsBuild, readDays } from './read-days.ts';
import type { ReadyDays } from './ready-days.ts';
import { createReplacedBuilds } from './replaced-builds.ts';
import { createRunBuilds } from './run-builds.ts';

export type DayBuilderOptions = {
  store: Pick<Store, 'ofWebsite' | 'query'>;
  clock: Clock;
  log: Log;
  recordsPerSlice: number;
  /**
   * Who asks so soon after another gets what that one was told about which days are built; 0 to look for
   * each.
   */
  sharedMs: number;
};

export type DayBuilder = ReturnType<typeof createDayBuilder>;

/** Longer than any build takes: what is not current by then never will be. */
const orphanMs = 3_600_000;
/** Takes turns with the websites, as one of them. */
const ofNoWebsite = 0;

/** Keeps the days of websites built: on demand, one build at a time. */
export function createDayBuilder({ store, clock, log, recordsPerSlice, sharedMs }: DayBuilderOptions) {
  let isStopped = false;
  const isStopping = () => isStopped;
  const freshness = createDayFreshness(clock);
  const replaced = createReplacedBuilds({ store, clock });
  const runBuilds = createRunBuilds({ freshness, replaced, isStopping, recordsPerSlice, clock, log });
  const queue = createBuildQueue({ runBuilds, isStopping, clock, log });
  const readyAll = createMakeReady({ store, queue, freshness, clock, sharedMs });

  return {
    ready: (websiteId: number, period: Span, today: string): Promise<ReadyDays> =>
      readyAll([period], today, { store: store.ofWebsite(websiteId), by: 'user' })[0]!,
    readyAll,
    /** Builds days whether they have changed or not; `onProgress` is told after each stretch. */
    async rebuild(
      websiteId: number,
      period: { from: string; to: string },
      today: string,
      onProgress: (doneDays: number, allDays: number) => void,
    ): Promise<{ days: number; records: number }> {
      const website = store.ofWebsite(websiteId);
      const days = await readDays(website, period.from, period.to);
      await queue.rebuild(website, days, today, (done) => onProgress(done, days.length));
      onProgress(days.length, days.length);
      return { days: days.length, records: days.reduce((sum, { records }) => sum + records, 0) };
    },
    /** Work on what was built that must not meet a build half-way. */
    inTurn: <T>(work: () => Promise<T>) => queue.inTurn(ofNoWebsite, work),
    /** For a visitor whose records are gone: returns when nothing that was built holds them any more. */
    async forgetVisitor(websiteId: number, visitorId: string, today: string): Promise<void> {
      const website = store.ofWebsite(websiteId);
      const inTurn = <T>(work: () => Promise<T>) => queue.inTurn(websiteId, work);
      const rebuild = (days: readonly string[]) =>
        inTurn(async () => {
          const now = await readDays(website, days[0]!, days.at(-1)!);
          const stale = now.filter((state) => days.includes(state.day) && !isFresh(state));
          await runBuilds(website, stale, today);
        });
      await forgetVisitor({ store: website, visitorId, rebuild, inTurn });
    },
    /**
     * What nobody waits for: days that have ended are built, and builds that nobody asks for any more are
     * removed.
     * `before` is a day that has ended everywhere.
     */
    async sweep(before: string): Promise<void> {
      for (const { websiteId, from, to } of await findStaleDays(store, before)) {
        const website = store.ofWebsite(websiteId);
        const stale = (await readDays(website, from, to)).filter((state) =>
          needsBuild(state, afterNext(before)),
        );
        if (stale.length > 0 && !isStopping()) await queue.buildOnce(website, stale, afterNext(before));
        if (isStopping()) return;
      }
      const orphans = await findOrphans(store, clock.now() - orphanMs);
      for (const [id, builds] of Map.groupBy(orphans, ({ websiteId }) => websiteId)) {
        if (isStopping()) return;
        await clearBuilds(store.ofWebsite(id), builds);
      }
    },
    /** What is being built is given up after a while: it is built again when it is asked for. */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      isStopped = true;
      await queue.settle({ withinMs });
    },
  };
}

/** A day before this one is neither today nor yesterday. */
const afterNext = (day: string) => addDays(day, 1);
