import type { Filter, Questions } from '@trackside/contract/stats/questions.ts';
import type { AskedPeriod } from '../../view/periods.ts';
import type { View } from '../../view/view.ts';
import type { Listing } from './listing.ts';

type Options = { limit: number; filters?: readonly Filter[] };

/** The first rows of a list, by its first metric. */
export function listQuestion(
  { key, metrics }: Pick<Listing, 'key' | 'metrics'>,
  view: View,
  period: AskedPeriod,
  { limit, filters = [] }: Options,
): Questions['query'] {
  return {
    period,
    filters: [...view.filters, ...filters],
    metrics: [metrics[0]],
    dimensions: [key.of === undefined ? key.dimension : key],
    limit,
  };
}
