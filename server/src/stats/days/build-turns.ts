import { setTimeout as delay } from 'node:timers/promises';
import { createTurns } from '../plan/ask-in-turn.ts';

export type BuildTurns = ReturnType<typeof createBuildTurns>;

const oneAtATime = { all: 1, byLinks: 1, ofOne: 1, ofLink: 1 };
const endless = Number.POSITIVE_INFINITY;
const unbounded = { all: endless, byLinks: endless, ofOne: endless, ofLink: endless };
const limits = { running: oneAtATime, waiting: unbounded };

/**
 * Lets one long and one quick piece of work run at a time, of each website in turn. So nobody who waits for
 * numbers of today waits for a build that takes long.
 */
export function createBuildTurns() {
  const [takeLong, takeQuick] = [createTurns(limits), createTurns(limits)];
  const inLine = new Set<Promise<unknown>>();

  function track<T>(done: Promise<T>): Promise<T> {
    const ended = done.catch(() => {}).finally(() => inLine.delete(ended));
    inLine.add(ended);
    return done;
  }

  const long = <T>(websiteId: number, work: () => Promise<T>) =>
    track(takeLong({ websiteId, by: 'user' }, work));
  const quick = <T>(websiteId: number, work: () => Promise<T>) =>
    track(takeQuick({ websiteId, by: 'user' }, work));

  return {
    long,
    /** Work in a quick turn must not wait for a long turn, because long work may wait for a quick turn. */
    quick,
    /** Runs work while nothing is being built. */
    alone: <T>(websiteId: number, work: () => Promise<T>) => long(websiteId, () => quick(websiteId, work)),
    /** Returns when nothing waits or runs any more, or when the time is up. */
    async settle({ withinMs }: { withinMs: number }): Promise<void> {
      await Promise.race([Promise.all(inLine), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
