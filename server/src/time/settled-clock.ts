import type { Clock } from './clock.ts';

/** How far the wall clock may drift from real time before it counts as set anew. */
const maxDriftMs = 60_000;

/**
 * The time, once the wall clock has gone at the speed of real time for a while; undefined until then. What
 * deletes by age asks this: a machine that starts with a wrong clock has time to be put right first.
 */
export function createSettledClock(clock: Clock, settleMs: number): () => number | undefined {
  let since = { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
  return () => {
    const nowMs = clock.now();
    const passedMs = clock.monotonicMs() - since.monotonicMs;
    if (Math.abs(nowMs - since.wallMs - passedMs) > maxDriftMs) {
      since = { wallMs: nowMs, monotonicMs: clock.monotonicMs() };
      return settleMs === 0 ? nowMs : undefined;
    }
    return passedMs >= settleMs ? nowMs : undefined;
  };
}
