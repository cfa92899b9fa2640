import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../time/clock.ts';
import type { LoadedWaits } from './loader-options.ts';

/** The time from one batch to the next while someone waits. More batches would be more than the store merges. */
const awaitedIntervalMs = 100;

/** The pauses of a loader: how long they are, and what ends them early. */
export function createLoaderRests(options: {
  intervalMs: number;
  waits: Pick<LoadedWaits, 'isAwaited'> | undefined;
  clock: Clock;
  /** Ends every pause. */
  signal: AbortSignal;
}) {
  const { intervalMs, waits, clock, signal } = options;
  let wake: (() => void) | undefined;
  /** Whether the loader only waits for the next interval. */
  let isResting = false;
  let batchBeganMs = Number.NEGATIVE_INFINITY;

  /** A record that comes after a pause is loaded at once. After that, batches keep their distance. */
  function idleMs(): number {
    if (!waits?.isAwaited()) return intervalMs;
    return Math.max(1, batchBeganMs + awaitedIntervalMs - clock.monotonicMs());
  }

  async function pause(ms: number): Promise<void> {
    const woken = new AbortController();
    wake = () => woken.abort();
    await delay(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
    wake = undefined;
  }

  return {
    pause,
    /** Waits until it is time for the next batch. */
    async rest(): Promise<void> {
      isResting = true;
      await pause(idleMs());
      isResting = false;
    },
    /** Ends the pause, if there is one. */
    wake: (): void => wake?.(),
    noteBatch(): void {
      batchBeganMs = clock.monotonicMs();
    },
    /** Ends the rest as soon as a batch may follow the last one. */
    wakeSoon(): void {
      if (isResting) setTimeout(() => isResting && wake?.(), idleMs()).unref();
    },
  };
}
