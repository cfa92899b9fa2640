import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { AskedBy } from '../plan/ask-in-turn.ts';
import type { AsOf } from './as-of.ts';
import type { BuildQueue } from './build-queue.ts';
import { type Built, type DayState, isFresh, readDays, type Span, toDayBuild } from './read-days.ts';
import { type BuiltDay, DaysNotReady, type ReadyDays } from './ready-days.ts';
import { readableMs } from './replaced-builds.ts';
import type { ToldTimes } from './told-times.ts';

type Options = {
  store: Pick<Store, 'ofWebsite'>;
  queue: BuildQueue;
  asOf: AsOf;
  /** The store has everything that was received by this time. */
  completeUpToMs: () => number | Promise<number>;
  told: ToldTimes;
  clock: Clock;
  sharedMs: number;
  patienceMs: number;
};

/**
 * Days, when they were looked up, and the time by which the store had everything that was received. Both times
 * were noted before they were read.
 */
type Look = { days: DayState[]; sinceMs: number; completeMs: number };
/** What was found for a period. */
type Found = { ready: Promise<ReadyDays>; sinceMs: number };

/** Numbers older than this are not shown if newer ones can be had within this time. */
const oldMs = 3000;
const quickMs = 1500;
/** How often days are built before an answer. A day can get its first records during each build. */
const mostAttempts = 5;

/** Finds the builds that answer for periods, and has missing ones built. */
export function createMakeReady(options: Options) {
  const { store, queue, asOf, completeUpToMs, told, clock, sharedMs, patienceMs } = options;
  /** What was found for a period, for those who ask soon after. */
  const recent = new Map<string, Found>();
  /**
   * How long a lookup of a website's days is shared, so that those who ask at the same time get the same
   * answer.
   */
  const completeMs = new Map<number, { ms: number; sinceMs: number }>();

  function forgetOld(): void {
    const nowMs = clock.monotonicMs();
    for (const [key, { sinceMs }] of recent) if (nowMs - sinceMs >= sharedMs) recent.delete(key);
  }

  function remember(key: string, ready: Promise<ReadyDays>): Found {
    const found = { ready, sinceMs: clock.monotonicMs() };
    recent.set(key, found);
    // The next one to ask must not get a fault that is over.
    ready.catch(() => recent.get(key) === found && recent.delete(key));
    return found;
  }

  async function completeOf(websiteId: number): Promise<number> {
    const known = completeMs.get(websiteId);
    if (known !== undefined && clock.monotonicMs() - known.sinceMs < sharedMs) return known.ms;
    const ms = await completeUpToMs();
    completeMs.set(websiteId, { ms, sinceMs: clock.monotonicMs() });
    return ms;
  }

  /**
   * Today, or a day after it if the website's timezone has changed, is read along with every period: no
   * answer may tell a later time than an answer about today would.
   */
  async function lookAt(asked: WebsiteStore, span: Span, today: string): Promise<Look> {
    return {
      sinceMs: clock.monotonicMs(),
      completeMs: await completeOf(asked.websiteId),
      days: await readDays(asked, span, { from: today, to: addDays(today, 1) }),
    };
  }

  /**
   * Starts to build what has changed. If the day was asked for, the numbers are old and the build won't take
   * long, the answer waits for it: someone who sends a record and then looks must see it.
   */
  async function hasRefreshed(
    website: WebsiteStore,
    look: Look,
    { today, isAsked }: { today: string; isAsked: (state: DayState) => boolean },
  ): Promise<boolean> {
    const mayRefresh = (state: DayState) => queue.mayRefresh(website.websiteId, state, today);
    const stale = look.days.filter(
      (state) => !isFresh(state) && state.built !== undefined && mayRefresh(state),
    );
    if (stale.length === 0) return false;
    const refreshed = queue.refresh(website, stale, today).then(
      () => true,
      () => false,
    );
    const asked = stale.filter(isAsked);
    if (asked.length === 0 || !asked.every((state) => queue.isQuick(state, today))) return false;
    const asOfMs = await asOf.ofDays(website, asked, look.completeMs);
    if (clock.now() - asOfMs < oldMs) return false;
    return await Promise.race([refreshed, delay(quickMs, false, { ref: false })]);
  }

  /** `look` has the days of this period, among others. */
  async function makeReady(
    asked: WebsiteStore,
    { from, to }: Span,
    today: string,
    first: Promise<Look>,
    toldMs = 0,
  ): Promise<ReadyDays> {
    const website = store.ofWebsite(asked.websiteId);
    const isAsked = ({ day }: DayState) => day >= from && day <= to;
    let look = await first;
    const isUnbuilt = (state: DayState) => isAsked(state) && state.records > 0 && state.built === undefined;
    const isMissing = (state: DayState) =>
      isAsked(state) && !isFresh(state) && (state.built === undefined || state.day < today);
    // Twice, because a build that was in progress may have begun before the last records came. Then only for
    // days whose first records have come in the meantime. Late ones can come faster than a large day is built.
    let isBehind = false;
    for (let attempt = 0; attempt < mostAttempts && !isBehind; attempt += 1) {
      const missing = look.days.filter(attempt < 2 ? isMissing : isUnbuilt);
      if (missing.length === 0) break;
      isBehind = !(await isDoneWithin(patienceMs, queue.buildOnce(website, missing, today)));
      look = await lookAt(asked, { from, to }, today);
    }
    // Another node may have failed to build them. Without their builds, they would count as empty.
    if (look.days.some(isUnbuilt)) throw stillBeingCalculated();
    const isTold = (state: DayState) => isAsked(state) || state.day >= today;
    if (await hasRefreshed(website, { ...look, days: look.days.filter(isTold) }, { today, isAsked }))
      look = await lookAt(asked, { from, to }, today);
    let asOfMs = await asOf.ofDays(asked, look.days.filter(isTold), look.completeMs);
    // A build counts records from after its time, too. An answer that had all of them has told a later one.
    for (let attempt = 0; asOfMs < toldMs && !isBehind && attempt < 3; attempt += 1) {
      const stale = look.days.filter((state) => isTold(state) && !isFresh(state));
      if (!(await isDoneWithin(patienceMs, queue.buildOnce(website, stale, today))))
        throw stillBeingCalculated();
      look = await lookAt(asked, { from, to }, today);
      asOfMs = await asOf.ofDays(asked, look.days.filter(isTold), look.completeMs);
    }
    const { sinceMs } = look;
    const days = look.days
      .filter(isAsked)
      .flatMap(({ day, built }): BuiltDay[] =>
        built === undefined ? [] : [{ day, ...toDayBuild(built), ...aboutOf(built) }],
      );
    return {
      days,
      builds: days.map(({ build, base }) => (base === undefined ? { build } : { build, base })),
      mayRepeat: days.filter(({ clients }) => clients > 0).length > 1,
      asOfMs,
      isBehind,
      mayBeGone: () => clock.monotonicMs() - sinceMs > readableMs,
    };
  }

  /**
   * Returns what was found for a period. If a later time was reported before, for whatever period, the days
   * are looked up again instead, unless past days can't be built in time.
   */
  async function tell(
    websiteId: number,
    found: Found,
    lookAgain: (toldMs: number) => Found,
  ): Promise<ReadyDays> {
    const toldMs = await told.read(websiteId);
    let ready = await found.ready;
    if (ready.asOfMs < toldMs && !ready.isBehind) ready = await lookAgain(toldMs).ready;
    await told.raise(websiteId, ready.asOfMs);
    return ready;
  }

  /**
   * Finds the builds for each of the periods, with one lookup for all of them. It waits for past days; today
   * is taken as it was last built, and rebuilt if it has changed. The builds are read through the store of
   * the asker, in the turns of `by`. The result is shared only with those who ask in the same turns, because
   * nobody may wait in another asker's queue.
   */
  return (
    periods: readonly Span[],
    today: string,
    { store: asked, by }: { store: WebsiteStore; by: AskedBy },
  ): Promise<ReadyDays>[] => {
    const { websiteId } = asked;
    const keyOf = ({ from, to }: Span) => `${websiteId} ${by} ${from} ${to} ${today}`;
    const find = (period: Span, look: Promise<Look>, toldMs?: number) =>
      remember(keyOf(period), makeReady(asked, period, today, look, toldMs));
    forgetOld();
    const unknown = periods.filter((period) => !recent.has(keyOf(period)));
    if (unknown.length > 0) {
      const ends = unknown.flatMap(({ from, to }) => [from, to]).toSorted();
      const look = lookAt(asked, { from: ends[0]!, to: ends.at(-1)! }, today);
      for (const period of unknown) find(period, look);
    }
    return periods.map((period) => {
      const found = recent.get(keyOf(period))!;
      const lookAgain = (toldMs: number) => {
        const latest = recent.get(keyOf(period));
        // Another question may already have looked again.
        return latest === undefined || latest === found
          ? find(period, lookAt(asked, period, today), toldMs)
          : latest;
      };
      const told = tell(websiteId, found, lookAgain);
      // Those who wait for the build get the fault. Perhaps nobody is waiting: a screen also asks for what it
      // may need.
      told.catch(() => {});
      return told;
    });
  };
}

function aboutOf({ isOpen, records, clients, base }: Built): Omit<BuiltDay, 'day' | 'build' | 'base'> {
  return { isOpen, records, clients, hasBase: base !== undefined };
}

async function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal, ref: false }).catch(() => true);
  const isDone = await Promise.race([work.then(() => true), late]);
  timer.abort();
  return isDone;
}

const stillBeingCalculated = () =>
  new DaysNotReady('the days of this period are still being calculated', 'being-calculated');
