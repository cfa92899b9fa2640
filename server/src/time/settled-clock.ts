import type { Clock } from './clock.ts';

/** How far the wall clock may drift from real time before it counts as having been set. */
const maxDriftMs = 60_000;

/**
 * Returns the time once the wall clock has run at the speed of real time for a while, and undefined until
 * then. Code that deletes by age uses this, so that a machine that starts with a wrong clock can be corrected
 * first.
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
