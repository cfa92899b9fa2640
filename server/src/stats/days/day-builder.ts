import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { AskedBy } from '../answer/take-turns.ts';
import { createBuildQueue } from './build-queue.ts';
import { clearBuilds, findOrphans } from './clear-builds.ts';
import { createDayFreshness } from './day-freshness.ts';
import { findStaleDays } from './find-stale-days.ts';
import { forgetVisitor } from './forget-visitor.ts';
import { createMakeReady } from './make-ready.ts';
import { isFresh, needsBuild, readDays } from './read-days.ts';
import type { ReadyDays } from './ready-days.ts';
import { createReplacedBuilds } from './replaced-builds.ts';
import { createRunBuilds } from './run-builds.ts';

export type DayBuilderOptions = {
  store: Pick<Store, 'ofWebsite' | 'query'>;
  clock: Clock;
  log: Log;
  recordsPerSlice: number;
  /** Questions that come together share one look at which days have changed; 0 to look for each. */
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
  const makeReady = createMakeReady({ store, queue, freshness, clock });
  const shared = new Map<string, { ready: Promise<ReadyDays>; sinceMs: number }>();

  return {
    /**
     * The builds that answer for a period. Days that have ended are waited for; today is taken as it was built
     * last, and built again when it has changed. They are read by the store of who asks, in the turns of `by`, and
     * shared by nobody who asks in other turns: who is next must not wait for who is last.
     */
    async ready(
      websiteId: number,
      period: { from: string; to: string },
      today: string,
      asking?: { store: WebsiteStore; by: AskedBy },
    ): Promise<ReadyDays> {
      const { store: asked, by } = asking ?? { store: store.ofWebsite(websiteId), by: 'user' };
      const key = `${websiteId} ${by} ${period.from} ${period.to} ${today}`;
      const nowMs = clock.monotonicMs();
      for (const [other, { sinceMs }] of shared) if (nowMs - sinceMs >= sharedMs) shared.delete(other);
      const known = shared.get(key);
      if (known !== undefined) return await known.ready;
      const ready = makeReady(websiteId, period, today, { asked, key: `${websiteId} ${by}` });
      if (sharedMs > 0) shared.set(key, { ready, sinceMs: nowMs });
      // Who comes next must not get a fault that is over.
      ready.catch(() => shared.delete(key));
      return await ready;
    },
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
     * What nobody waits for: days that have ended are built, and builds that nobody asks for any more are removed.
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
const afterNext = (day: string) => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
