import assert from 'node:assert';
import type { Log } from '../../log.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { BuildTurns } from './build-turns.ts';
import { type DayState, needsBuild, readDays } from './read-days.ts';
import { DaysNotReady } from './ready-days.ts';
import type { RefreshDay } from './refresh-day.ts';
import type { RunBuilds } from './run-builds.ts';

type Options = {
  runBuilds: RunBuilds;
  refreshDay: RefreshDay;
  /** Whether a day can probably be brought up to date in a moment. */
  isQuick: (state: DayState, today: string) => boolean;
  turns: Pick<BuildTurns, 'long' | 'quick'>;
  isStopping: () => boolean;
  /** Called when days of a website were built that it will take long to build again. */
  onBuilt: (website: WebsiteStore, today: string) => unknown;
  clock: Clock;
  log: Log;
};

type Pace = 'quick' | 'long';

export type BuildQueue = ReturnType<typeof createBuildQueue>;

/**
 * Days that change while people look at them are rebuilt after this time at the earliest, and after a
 * multiple of the time that their last build took. Days that are quick to build wait less, so that numbers
 * stay fresh.
 */
const restMs = 500;
const restShares = { quick: 0.25, long: 2 };
export const daysAtOnce = 30;

/** Runs one long build and one quick one at a time, of each website in turn. */
export function createBuildQueue(options: Options) {
  const { runBuilds, refreshDay, isQuick, turns, isStopping, onBuilt, clock, log } = options;
  const underWay = new Map<string, Promise<void>>();
  /** The days whose base is being rebuilt. Nobody waits for that. */
  const renewals = new Set<string>();
  /** When days of a website may be built again, those that are quick and the others. */
  const nextRefreshMs = { quick: new Map<number, number>(), long: new Map<number, number>() };

  const paceOf = (state: DayState, today: string): Pace => (isQuick(state, today) ? 'quick' : 'long');
  const keyOf = (website: WebsiteStore, day: string) => `${website.websiteId} ${day}`;

  function refuseWhenStopping(): void {
    if (isStopping()) throw new DaysNotReady('the server is stopping', 'engine-away');
  }

  async function buildPart(
    website: WebsiteStore,
    part: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void> {
    refuseWhenStopping();
    // The days are read again, because another build may have built them while this one waited.
    const now = await readDays(website, { from: part[0]!.day, to: part.at(-1)!.day });
    const wanted = new Set(part.map(({ day }) => day));
    const due = now.filter((state) => wanted.has(state.day) && (isForced || needsBuild(state, today)));
    await runBuilds(website, due, today);
  }

  async function buildLong(
    website: WebsiteStore,
    part: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void> {
    await turns.long(website.websiteId, () => buildPart(website, part, today, isForced));
    onBuilt(website, today);
  }

  async function buildQuick(website: WebsiteStore, state: DayState, today: string): Promise<void> {
    const refreshed = await turns.quick(website.websiteId, () => {
      refuseWhenStopping();
      return refreshDay(website, state.day, today);
    });
    if (refreshed === 'whole-due') await buildLong(website, [state], today, false);
    if (refreshed === 'renewal-due') renew(website, state, today);
  }

  /** Rebuilds the base of a day, while changes to the old one continue. */
  function renew(website: WebsiteStore, state: DayState, today: string): void {
    const key = keyOf(website, state.day);
    if (renewals.has(key) || !hasRested(website.websiteId, 'long')) return;
    renewals.add(key);
    const startedMs = clock.monotonicMs();
    buildLong(website, [state], today, true)
      .catch((error: unknown) => logFault(website, error))
      .finally(() => {
        rest(website.websiteId, 'long', startedMs);
        renewals.delete(key);
      });
  }

  /** Notes how long a website rests after a build, whether it succeeded or not. */
  function rest(websiteId: number, pace: Pace, startedMs: number): void {
    const nowMs = clock.monotonicMs();
    nextRefreshMs[pace].set(websiteId, nowMs + Math.max(restMs, restShares[pace] * (nowMs - startedMs)));
  }

  const hasRested = (websiteId: number, pace: Pace) =>
    clock.monotonicMs() >= (nextRefreshMs[pace].get(websiteId) ?? 0);

  function logFault(website: WebsiteStore, error: unknown): void {
    if (!isStopping()) log.error({ err: error, website: website.websiteId }, 'building days failed');
  }

  /**
   * Builds some days at a time, so that another website doesn't have to wait until years are built. The
   * latest days come first, and each of those that are quick has its own turn. A question about a day that is
   * waiting or being built waits for that build.
   */
  function buildParts(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void>[] {
    assert(
      isForced || !days.some(({ day }) => underWay.has(keyOf(website, day))),
      'A waiting day must be built once, for everyone who asks for it.',
    );
    const parts: Promise<void>[] = [];
    const add = (part: readonly DayState[], built: Promise<void>) => {
      const keys = part.map(({ day }) => keyOf(website, day));
      const done = built.finally(() => {
        for (const key of keys) if (underWay.get(key) === done) underWay.delete(key);
      });
      for (const key of keys) underWay.set(key, done);
      parts.push(done);
    };
    const { quick = [], long = [] } = Object.groupBy(days, (state) =>
      isForced ? 'long' : paceOf(state, today),
    );
    for (const state of quick.toReversed()) add([state], buildQuick(website, state, today));
    for (let end = long.length; end > 0; end -= daysAtOnce) {
      const part = long.slice(Math.max(0, end - daysAtOnce), end);
      add(part, buildLong(website, part, today, isForced));
    }
    return parts;
  }

  /** Returns when these days are built. Some of them may be in progress already. */
  async function buildOnce(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
    isForced = false,
  ): Promise<void> {
    const partOf = ({ day }: DayState) => (isForced ? undefined : underWay.get(keyOf(website, day)));
    const known = new Set(days.map(partOf).filter((part) => part !== undefined));
    const own = days.filter((state) => partOf(state) === undefined);
    if (own.length === 0) return void (await Promise.all(known));
    const done = restAfter(website.websiteId, own, today, () =>
      Promise.all(buildParts(website, own, today, isForced)).catch((error: unknown) => {
        logFault(website, error);
        throw error;
      }),
    );
    await Promise.all([...known, done]);
  }

  /** Has days built, here or by another node, and lets the website rest after that. */
  async function restAfter(
    websiteId: number,
    days: readonly DayState[],
    today: string,
    build: () => Promise<unknown>,
  ): Promise<void> {
    const startedMs = clock.monotonicMs();
    const pace = days.every((state) => isQuick(state, today)) ? 'quick' : 'long';
    await build().finally(() => rest(websiteId, pace, startedMs));
  }

  return {
    buildOnce,
    /** The same for days that have numbers already, so nobody has to have newer ones. */
    refresh: (website: WebsiteStore, days: readonly DayState[], today: string): Promise<void> =>
      buildOnce(website, days, today),
    restAfter,
    isQuick,
    /** Builds days whether they have changed or not, some at a time. Calls `onProgress` before each part. */
    async rebuild(
      website: WebsiteStore,
      days: readonly DayState[],
      today: string,
      onProgress: (doneDays: number) => void,
    ): Promise<void> {
      for (let done = 0; done < days.length; done += daysAtOnce) {
        onProgress(done);
        await buildOnce(website, days.slice(done, done + daysAtOnce), today, true);
      }
    },
    /** Whether a day that has changed may be built again: false right after the website's last build. */
    mayRefresh: (websiteId: number, state: DayState, today: string): boolean =>
      hasRested(websiteId, paceOf(state, today)),
  };
}
