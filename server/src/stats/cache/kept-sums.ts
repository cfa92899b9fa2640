import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { addCounts, type Counts, metrics } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from '../sql/ask-visits.ts';

/** The counts of every value of a dimension over some builds. */
export type Sums = ReadonlyMap<string, Counts>;

/** The sums are undefined for a dimension that has too many values to keep. */
type Kept = { sums: Promise<Sums | undefined>; bytes: number };

/** Measured with Node 26: the key, its place in the cache, a promise and an empty map. */
const bytesOfEntry = 400;
/** The counts, and the place of the value in the map. */
const bytesOfValue = 240;
/** One character of most texts takes a single byte, but those with a character outside Latin-1 take two. */
const bytesOfCharacter = 2;

/**
 * Keeps sums in memory. Builds never change, so the sums of the same builds stay right forever. Sums that
 * nobody has asked for lately make room for others.
 */
export function createKeptSums(maxBytes: number) {
  const kept = createBoundedCache<Kept>({ maxSize: maxBytes, sizeOf: ({ bytes }) => bytes });
  return {
    get: (key: string): Promise<Sums | undefined> | undefined => kept.get(key)?.sums,

    /** Keeps sums that are still being read, so others can wait for them. Sums that fail are forgotten. */
    set(key: string, sums: Promise<Sums | undefined>): void {
      const pending: Kept = { sums, bytes: bytesOf(undefined) };
      kept.set(key, pending);
      sums.then(
        (found) => {
          if (kept.get(key) === pending) kept.set(key, { sums, bytes: bytesOf(found) });
        },
        () => {
          if (kept.get(key) === pending) kept.delete(key);
        },
      );
    },
  };
}

/** Returns how much memory kept sums take up, or a little more. */
export function bytesOf(sums: Sums | undefined): number {
  let bytes = bytesOfEntry;
  for (const value of sums?.keys() ?? []) bytes += bytesOfValue + bytesOfCharacter * value.length;
  return bytes;
}

/** Adds up the sums of several stretches of days. */
export function joinSums(parts: readonly Sums[]): Map<string, Counts> {
  const all = new Map(parts[0] ?? []);
  for (const part of parts.slice(1)) {
    for (const [value, counts] of part) {
      const known = all.get(value);
      all.set(value, known === undefined ? counts : addCounts(known, counts));
    }
  }
  return all;
}

/** Picks the first rows of a list, in the order in which the store would have them. */
export function topOfSums({ order, limit }: Pick<Question, 'order' | 'limit'>, sums: Sums): Counted {
  const keys = order.map(({ by, descending }) => {
    const metric = metrics[by as MetricName];
    const sign = descending ? -1 : 1;
    return (counts: Counts) => sign * (metric.of(counts) ?? 0);
  });
  const rows = [...sums].map(([value, counts]) => ({
    value,
    counts,
    places: keys.map((key) => key(counts)),
  }));
  rows.sort((a, b) => {
    for (const [at, place] of a.places.entries()) if (place !== b.places[at]) return place - b.places[at]!;
    return compareBytes(a.value, b.value);
  });
  return {
    totalRows: rows.length,
    rows: rows.slice(0, limit).map(({ value, counts }) => ({ time: undefined, values: [value], counts })),
  };
}

/**
 * Compares texts as the store does. JavaScript compares UTF-16 units, which puts emoji before some
 * characters.
 */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
