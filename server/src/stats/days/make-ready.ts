import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { AskedBy } from '../plan/ask-in-turn.ts';
import type { BuildQueue } from './build-queue.ts';
import { type DayFreshness, type DayState, isFresh, readDays } from './read-days.ts';
import { DaysNotReady, type ReadyDays } from './ready-days.ts';

type Options = {
  store: Pick<Store, 'ofWebsite'>;
  queue: BuildQueue;
  freshness: DayFreshness;
  clock: Clock;
  sharedMs: number;
};

/** The first and the last day of a period. */
export type Span = { from: string; to: string };

const patienceMs = 20_000;
/**
 * Numbers older than this are not shown if newer ones can be had soon: by building at most so many records,
 * within this time.
 */
const oldMs = 10_000;
const quickRecords = 100_000;
const quickMs = 1500;

/** Finds the builds that answer for periods, and has missing ones built. */
export function createMakeReady({ store, queue, freshness, clock, sharedMs }: Options) {
  /** What was found for a period, for those who ask soon after. */
  const recent = new Map<string, { ready: Promise<ReadyDays>; sinceMs: number }>();

  function forgetOld(): void {
    const nowMs = clock.monotonicMs();
    for (const [key, { sinceMs }] of recent) if (nowMs - sinceMs >= sharedMs) recent.delete(key);
  }

  function remember(key: string, ready: Promise<ReadyDays>): void {
    const found = { ready, sinceMs: clock.monotonicMs() };
    recent.set(key, found);
    // The next one to ask must not get a fault that is over.
    ready.catch(() => recent.get(key) === found && recent.delete(key));
  }

  /**
   * Starts to build what has changed. It is waited for if the numbers are old and it won't take long: whoever
   * sends a record and looks must see it.
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

  /** `look` has the days of this period, among others. */
  async function makeReady(
    asked: WebsiteStore,
    { from, to }: Span,
    today: string,
    look: Promise<DayState[]>,
  ): Promise<ReadyDays> {
    const website = store.ofWebsite(asked.websiteId);
    const read = () => readDays(asked, from, to);
    let days = (await look).filter(({ day }) => day >= from && day <= to);
    // Twice, because a build that was under way may have begun before the last records came.
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
      days: built.map(({ day, build, isOpen, clients }) => ({ day, build, isOpen, clients })),
      builds: built.map(({ build }) => build),
      hasClients: built.some(({ clients }) => clients > 0),
      asOfMs: freshness.asOfMs(days),
    };
  }

  /**
   * The builds that answer for each of the periods, found by one look at all of them. Days that have ended
   * are waited for; today is taken as it was built last, and built again when it has changed. They are read
   * through the store of whoever asks, in the turns of `by`. What was found is shared only with those who ask
   * in the same turns, because nobody may wait in the line of another.
   */
  return (
    periods: readonly Span[],
    today: string,
    { store: asked, by }: { store: WebsiteStore; by: AskedBy },
  ): Promise<ReadyDays>[] => {
    const keyOf = ({ from, to }: Span) => `${asked.websiteId} ${by} ${from} ${to} ${today}`;
    forgetOld();
    const unknown = periods.filter((period) => !recent.has(keyOf(period)));
    if (unknown.length > 0) {
      const ends = unknown.flatMap(({ from, to }) => [from, to]).toSorted();
      const look = readDays(asked, ends[0]!, ends.at(-1)!);
      for (const period of unknown) remember(keyOf(period), makeReady(asked, period, today, look));
    }
    return periods.map((period) => recent.get(keyOf(period))!.ready);
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
