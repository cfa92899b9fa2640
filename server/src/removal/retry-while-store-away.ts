import { setTimeout as delay } from 'node:timers/promises';
import { StoreAway } from '../stats/faults.ts';
import type { Clock } from '../time/clock.ts';

/**
 * Runs work on the store, again and again, until it succeeds or patience runs out. Repeated work continues
 * where it was.
 */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>;

const pauseMs = { first: 100, most: 2_000 };
/** Work that went well for this long before it failed gets the full patience again. */
const headwayMs = 5_000;

/**
 * The engine may be restarted at any moment, and is back within seconds. Statements that were running in it
 * have failed.
 */
export function retryWhileStoreAway(options: {
  clock: Clock;
  patienceMs: number;
  signal: AbortSignal;
}): Patiently {
  const { clock, patienceMs, signal } = options;
  return async (work) => {
    let failingSinceMs: number | undefined;
    for (let waitMs = pauseMs.first; ; waitMs = Math.min(2 * waitMs, pauseMs.most)) {
      const beganMs = clock.monotonicMs();
      try {
        return await work();
      } catch (error) {
        const nowMs = clock.monotonicMs();
        if (failingSinceMs === undefined || nowMs - beganMs > headwayMs) failingSinceMs = nowMs;
        if (nowMs - failingSinceMs >= patienceMs) {
          throw new StoreAway('the store does not respond', { cause: error });
        }
        await delay(waitMs, undefined, { signal }).catch(() => {});
        if (signal.aborted) throw new StoreAway('the server is stopping', { cause: error });
      }
    }
  };
}
