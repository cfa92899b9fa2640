import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { type Counts, metrics } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from '../sql/ask-visits.ts';

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

/** The rows of a list, in the order in which the store would answer with them. */
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
 * Texts as the store orders them; JavaScript compares units of UTF-16, which puts emoji before some other
 * signs.
 */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
