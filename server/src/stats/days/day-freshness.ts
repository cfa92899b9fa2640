import type { Clock } from '../../time/clock.ts';
import { type DayState, isFresh } from './read-days.ts';

export type DayFreshness = ReturnType<typeof createDayFreshness>;

/** Knows since when days have not been up to date. */
export function createDayFreshness(clock: Clock) {
  /** When a build of a day that may change was last seen to have all of its records. */
  const lastFreshMs = new Map<string, number>();

  return {
    /** Since when these days have not been up to date: a build was, for as long as it had all the records. */
    asOfMs(days: readonly DayState[]): number {
      const nowMs = clock.now();
      const since = days.flatMap((state) => {
        if (state.built === undefined) return [];
        const { build, isOpen, builtAtMs } = state.built;
        if (!isFresh(state)) return [Math.max(builtAtMs, lastFreshMs.get(build) ?? 0)];
        if (isOpen) lastFreshMs.set(build, nowMs);
        return [];
      });
      return Math.min(nowMs, ...since);
    },
    /** Another build has taken its place. */
    forget(build: string): void {
      lastFreshMs.delete(build);
    },
  };
}
