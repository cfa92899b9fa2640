import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { BuildQueue } from './build-queue.ts';
import { type DayFreshness, type DayState, isFresh, readDays } from './read-days.ts';
import { DaysNotReady, type ReadyDays } from './ready-days.ts';

type Options = {
  store: Pick<Store, 'ofWebsite'>;
  queue: BuildQueue;
  freshness: DayFreshness;
  clock: Clock;
};

/** The first day of a period and its last. */
export type Span = { from: string; to: string };

const patienceMs = 20_000;
/**
 * Numbers older than this are not shown if newer ones can be had soon: of so many records at most, within
 * this time.
 */
const oldMs = 10_000;
const quickRecords = 100_000;
const quickMs = 1500;

/** Finds the builds that answer for a period, and has those made that are missing. */
export function createMakeReady({ store, queue, freshness, clock }: Options) {
  /**
   * Starts to build what has changed. It is waited for where the numbers are old and it will not take long:
   * who sends a record and looks must see it.
   */
  async function hasRefreshed(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
  ): Promise<boolean> {
    const stale = days.filter((state) => !isFresh(state) && state.built !== undefined);
    if (stale.length === 0 || !queue.mayRefresh(website.websiteId)) return false;
    const refreshed = queue.buildOnce(website, stale, today).then(
      () => true,
      () => false,
    );
    const records = stale.reduce((sum, state) => sum + state.records, 0);
    if (clock.now() - freshness.asOfMs(days) < oldMs || records > quickRecords) return false;
    return await Promise.race([refreshed, delay(quickMs, false, { ref: false })]);
  }

  /** `look` tells of the days of this period, among others. */
  return async (
    asked: WebsiteStore,
    { from, to }: Span,
    today: string,
    look: Promise<DayState[]>,
  ): Promise<ReadyDays> => {
    const website = store.ofWebsite(asked.websiteId);
    const read = () => readDays(asked, from, to);
    let days = (await look).filter(({ day }) => day >= from && day <= to);
    // Twice: a build that was under way may have begun before the last records came.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const missing = days.filter(
        (state) => !isFresh(state) && (state.built === undefined || state.day < today),
      );
      if (missing.length === 0) break;
      await within(patienceMs, queue.buildOnce(website, missing, today));
      days = await read();
    }
    if (await hasRefreshed(website, days, today)) days = await read();
    const built = days.flatMap(({ day, built: of }) => (of === undefined ? [] : [{ day, ...of }]));
    return {
      days: built.map(({ day, build, isOpen }) => ({ day, build, isOpen })),
      builds: built.map(({ build }) => build),
      hasClients: built.some(({ clients }) => clients > 0),
      asOfMs: freshness.asOfMs(days),
    };
  };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = delay(ms, 'late' as const, { signal: timer.signal, ref: false }).catch(() => 'done' as const);
  const first = await Promise.race([work.then(() => 'done' as const), late]);
  timer.abort();
  if (first === 'late')
    throw new DaysNotReady('the days of this period are still being added up', 'being-calculated');
}
