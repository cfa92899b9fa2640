import { setTimeout as delay } from 'node:timers/promises';
import { createTurns } from '../plan/ask-in-turn.ts';

export type BuildTurns = ReturnType<typeof createBuildTurns>;

const oneAtATime = { all: 1, byLinks: 1, ofOne: 1, ofLink: 1 };
const endless = Number.POSITIVE_INFINITY;
const unbounded = { all: endless, byLinks: endless, ofOne: endless, ofLink: endless };
const limits = { running: oneAtATime, waiting: unbounded };

/**
 * Runs one long and one short piece of work at a time, rotating among websites. So nobody who is waiting for
 * today's numbers has to wait for a long build.
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
    /** Returns when nothing is waiting or running anymore, or when the time is up. */
    async settle({ withinMs }: { withinMs: number }): Promise<void> {
      await Promise.race([Promise.all(inLine), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
