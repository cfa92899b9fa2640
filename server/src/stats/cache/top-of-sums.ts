import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { type Counts, metrics } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from '../sql/ask-visits.ts';
import type { Sums } from './kept-sums.ts';

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
