import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { Format } from '#format/create-format.ts';
import { isOfEvents, type View } from '../../view/view.ts';
import type { Listing } from '../list/listing.ts';

type Counted = Pick<Questions['query'], 'metrics' | 'goal'>;

/**
 * What a list asks for: its metric, or the conversions of the chosen goal where it would show visitors. It is
 * in the order of the first metric.
 */
export function countedFor({ goal }: Pick<View, 'goal'>, metric: MetricName): Counted {
  if (goal === undefined || metric !== 'visitors') return { metrics: [metric] };
  return { metrics: ['conversions', 'conversionRate', 'visitors'], goal };
}

/**
 * The columns of a full table. Filtered by an event, it has no page views or bounces, which would all be zero.
 * The columns of the chosen goal come after its own.
 */
export function columnsFor(
  metrics: Listing['metrics'],
  { goal, filters }: Pick<View, 'goal' | 'filters'>,
): Listing['metrics'] {
  const own = metrics.includes('pageViews') && filters.some(isOfEvents) ? metricsOfEvents : metrics;
  return goal === undefined ? own : [...own, 'conversions', 'conversionRate'];
}

const metricsOfEvents: Listing['metrics'] = ['visitors', 'visits', 'events'];

type Numbers = Partial<Record<MetricName, number | null>>;

/** The conversions of a row, and the share of its visitors who converted. */
export function toConverted(
  { conversions, conversionRate }: Numbers,
  format: Pick<Format, 'percent'>,
): { value: number; note: string } {
  const rate = conversionRate ?? undefined;
  return { value: conversions ?? 0, note: rate === undefined ? '' : format.percent(rate, 1) };
}
