import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';

/** A question about one website, understood and complete. */
export type Question = {
  period: Period;
  interval?: Interval;
  metrics: readonly MetricName[];
  dimensions: readonly Key[];
  /** All of them must hold, for the same record. */
  filters: readonly Filter[];
  /** The event whose visitors have converted. */
  goal?: string;
  order: readonly { by: MetricName | 'dimension'; descending: boolean }[];
  limit: number;
  offset: number;
  /** Only rows with these values of the dimensions, for a comparison with rows that are known. */
  only?: readonly (readonly string[])[];
};

/**
 * Intervals and nothing else: always whole and in the order of time, so that no limit, offset or order
 * applies.
 */
export function isSeries({ interval, dimensions }: Pick<Question, 'interval' | 'dimensions'>): boolean {
  return interval !== undefined && dimensions.length === 0;
}
