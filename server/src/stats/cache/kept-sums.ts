import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { Counts } from '../question/metrics.ts';

/** The numbers of every value of a dimension over some builds. */
export type Sums = ReadonlyMap<string, Counts>;

/** Undefined: it has too many values to be kept. */
type Kept = { sums: Promise<Sums | undefined>; size: number };

/**
 * Keeps sums in memory: builds never change, so that sums of the same builds are the same for ever. Those
 * that nobody has asked for lately make room for others.
 */
export function createKeptSums(maxValues: number) {
  const kept = createBoundedCache<Kept>({ maxSize: maxValues, sizeOf: ({ size }) => size });
  return {
    get: (key: string): Promise<Sums | undefined> | undefined => kept.get(key)?.sums,

    /** Kept from now on, so that whoever asks meanwhile waits for the same; sums that fail are forgotten. */
    set(key: string, sums: Promise<Sums | undefined>): void {
      const pending: Kept = { sums, size: 1 };
      kept.set(key, pending);
      sums.then(
        (found) => {
          if (kept.get(key) === pending) kept.set(key, { sums, size: 1 + (found?.size ?? 0) });
        },
        () => {
          if (kept.get(key) === pending) kept.delete(key);
        },
      );
    },
  };
}
