import type { Counts } from '../question/metrics.ts';

/** The numbers of every value of a dimension over some builds. */
export type Sums = ReadonlyMap<string, Counts>;

/** Undefined: it has too many values to be kept. */
type Kept = { sums: Promise<Sums | undefined>; size: number };

/**
 * Keeps sums in memory: builds never change, so that sums of the same builds are the same for ever. Those that nobody has
 * asked for the longest make room for others.
 */
export function createKeptSums(maxValues: number) {
  const kept = new Map<string, Kept>();
  let values = 0;

  function forget(key: string): void {
    values -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  }

  return {
    get(key: string): Promise<Sums | undefined> | undefined {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.sums;
    },

    /** Kept from now on, so that whoever asks meanwhile waits for the same; sums that fail are forgotten. */
    set(key: string, sums: Promise<Sums | undefined>): void {
      const added: Kept = { sums, size: 1 };
      forget(key);
      kept.set(key, added);
      values += added.size;
      sums.then(
        (found) => {
          if (kept.get(key) !== added) return;
          values += found?.size ?? 0;
          added.size += found?.size ?? 0;
          for (const oldest of kept.keys()) {
            if (values <= maxValues) break;
            forget(oldest);
          }
        },
        () => {
          if (kept.get(key) === added) forget(key);
        },
      );
    },
  };
}
