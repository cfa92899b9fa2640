import type { Clock } from './clock.ts';
import { takeAnchor, wasSetSince } from './clock-anchor.ts';

/**
 * Returns the time once the wall clock has run at the speed of real time for a while, and undefined until
 * then. Code that deletes by age uses this, so that a machine that starts with a wrong clock can be corrected
 * first.
 */
export function createSettledClock(clock: Clock, settleMs: number): () => number | undefined {
  let since = takeAnchor(clock);
  return () => {
    const nowMs = clock.now();
    if (wasSetSince(clock, since)) {
      since = takeAnchor(clock);
      return settleMs === 0 ? nowMs : undefined;
    }
    return clock.monotonicMs() - since.monotonicMs >= settleMs ? nowMs : undefined;
  };
}
