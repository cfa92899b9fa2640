import assert from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import { createTurns } from '../plan/ask-in-turn.ts';
import { type DayState, needsBuild, readDays } from './read-days.ts';
import { DaysNotReady } from './ready-days.ts';
import type { RunBuilds } from './run-builds.ts';

type Options = { runBuilds: RunBuilds; isStopping: () => boolean; clock: Clock; log: Log };

export type BuildQueue = ReturnType<typeof createBuildQueue>;

/**
 * A day that changes while people look at it is built again after this time at the earliest, and after this
 * many times as long as its last build took.
 */
const refreshMs = 1000;
const refreshShare = 2;
const daysAtOnce = 30;
const oneAtATime = { all: 1, byLinks: 1, ofOne: 1, ofLink: 1 };
const endless = Number.POSITIVE_INFINITY;
const unbounded = { all: endless, byLinks: endless, ofOne: endless, ofLink: endless };

/** Runs one build at a time, of each website in turn. */
export function createBuildQueue({ runBuilds, isStopping, clock, log }: Options) {
  const takeTurns = createTurns({ running: oneAtATime, waiting: unbounded });
  const inLine = new Set<Promise<unknown>>();
  const underWay = new Map<string, Promise<void>>();
  const nextRefreshMs = new Map<number, number>();

  function inTurn<T>(websiteId: number, work: () => Promise<T>): Promise<T> {
    const done = takeTurns({ websiteId, by: 'user' }, work);
    const ended = done.catch(() => {}).finally(() => inLine.delete(ended));
    inLine.add(ended);
    return done;
  }

  async function buildPart(
    website: WebsiteStore,
    part: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void> {
    if (isStopping()) throw new DaysNotReady('the server is stopping', 'engine-away');
    // The days are read again, because another build may have built them while this one waited.
    const now = await readDays(website, { from: part[0]!.day, to: part.at(-1)!.day });
    const wanted = new Set(part.map(({ day }) => day));
    const due = now.filter((state) => wanted.has(state.day) && (isForced || needsBuild(state, today)));
    await runBuilds(website, due, today);
  }

  /**
   * Builds some days at a time, so that another website need not wait until years are built. The latest days
   * come first. Whoever asks for a day that waits or is being built waits for that build.
   */
  function buildParts(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void>[] {
    const keyOf = ({ day }: DayState) => `${website.websiteId} ${day}`;
    assert(
      isForced || !days.some((state) => underWay.has(keyOf(state))),
      'A day that waits to be built must be built once, for all who ask for it.',
    );
    const parts: Promise<void>[] = [];
    for (let end = days.length; end > 0; end -= daysAtOnce) {
      const part = days.slice(Math.max(0, end - daysAtOnce), end);
      const keys = part.map(keyOf);
      const done = inTurn(website.websiteId, () => buildPart(website, part, today, isForced)).finally(() => {
        for (const key of keys) if (underWay.get(key) === done) underWay.delete(key);
      });
      for (const key of keys) underWay.set(key, done);
      parts.push(done);
    }
    return parts;
  }

  /** Returns when these days are built. Some of them may be under way already. */
  async function buildOnce(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
    isForced = false,
  ): Promise<void> {
    const partOf = ({ day }: DayState) =>
      isForced ? undefined : underWay.get(`${website.websiteId} ${day}`);
    const known = new Set(days.map(partOf).filter((part) => part !== undefined));
    const own = days.filter((state) => partOf(state) === undefined);
    if (own.length === 0) return void (await Promise.all(known));
    const startedMs = clock.monotonicMs();
    const parts = Promise.all(buildParts(website, own, today, isForced)).catch((error: unknown) => {
      if (!isStopping()) log.error({ err: error, website: website.websiteId }, 'building days failed');
      throw error;
    });
    const done = parts.finally(() => {
      const tookMs = clock.monotonicMs() - startedMs;
      const restMs = Math.max(refreshMs, refreshShare * tookMs);
      nextRefreshMs.set(website.websiteId, clock.monotonicMs() + restMs);
    });
    await Promise.all([...known, done]);
  }

  return {
    /** Runs work while nothing is being built. */
    inTurn,
    buildOnce,
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
    /** Whether days that have changed may be built again: false right after the website's last build. */
    mayRefresh: (websiteId: number): boolean => clock.monotonicMs() >= (nextRefreshMs.get(websiteId) ?? 0),
    /** Returns when nothing waits or runs any more, or when the time is up. */
    async settle({ withinMs }: { withinMs: number }): Promise<void> {
      await Promise.race([Promise.all(inLine), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
