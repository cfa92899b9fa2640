import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';

/** A question about one website, validated and complete. */
export type Question = {
  period: Period;
  interval?: Interval;
  metrics: readonly MetricName[];
  dimensions: readonly Key[];
  /** All filters must hold for the same record. */
  filters: readonly Filter[];
  /** The event that counts as a conversion. */
  goal?: string;
  order: readonly { by: MetricName | 'dimension'; descending: boolean }[];
  limit: number;
  offset: number;
  /** Only rows with these values of the dimensions, for a comparison with known rows. */
  only?: readonly (readonly string[])[];
};

/**
 * Returns whether the answer has intervals and no dimensions. Such a series is always complete and in the
 * order of time, so no limit, offset or order applies.
 */
export function isSeries({ interval, dimensions }: Pick<Question, 'interval' | 'dimensions'>): boolean {
  return interval !== undefined && dimensions.length === 0;
}
