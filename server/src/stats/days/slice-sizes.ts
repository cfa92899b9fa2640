import { isOutOfMemory } from '../../store/is-out-of-memory.ts';
import type { Clock } from '../../time/clock.ts';

/** No smaller ones: the records of one device can't be divided, and each slice costs a statement. */
const leastRecords = 500;
const divisor = 4;
/** After this time, the usual size is tried again. */
const rememberedMs = 3_600_000;

export type SliceSizes = ReturnType<typeof createSliceSizes>;

/**
 * Knows how many records of a website one statement may hold in memory. Usually that is the same number for
 * all websites. It is smaller for one whose records have so much text that a statement ran out of memory.
 */
export function createSliceSizes(usualRecords: number, clock: Pick<Clock, 'monotonicMs'>) {
  const smaller = new Map<number, { records: number; untilMs: number }>();

  function sizeFor(websiteId: number): number {
    const found = smaller.get(websiteId);
    if (found !== undefined && clock.monotonicMs() < found.untilMs) return found.records;
    smaller.delete(websiteId);
    return usualRecords;
  }

  /** Whether there is a smaller size to go on with. */
  function shrink(websiteId: number): boolean {
    const records = Math.floor(sizeFor(websiteId) / divisor);
    if (records < leastRecords) return false;
    smaller.set(websiteId, { records, untilMs: clock.monotonicMs() + rememberedMs });
    return true;
  }

  return {
    usualRecords,
    sizeFor,
    shrink,
    /** Builds with smaller slices as long as the store runs out of memory. Each attempt needs its own number. */
    async build<T>(websiteId: number, attempt: (recordsPerSlice: number) => Promise<T>): Promise<T> {
      for (;;) {
        try {
          return await attempt(sizeFor(websiteId));
        } catch (error) {
          if (!isOutOfMemory(error) || !shrink(websiteId)) throw error;
        }
      }
    },
  };
}
