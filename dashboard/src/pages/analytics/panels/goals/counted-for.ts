import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { Format } from '#format/create-format.ts';
import type { View } from '../../view/view.ts';

type Counted = Pick<Questions['query'], 'metrics' | 'goal'>;

/**
 * What a list asks for: its metric, or the conversions of the chosen goal where it would show visitors. It is
 * in the order of the first metric.
 */
export function countedFor({ goal }: Pick<View, 'goal'>, metric: MetricName): Counted {
  if (goal === undefined || metric !== 'visitors') return { metrics: [metric] };
  return { metrics: ['conversions', 'conversionRate', 'visitors'], goal };
}

type Numbers = Partial<Record<MetricName, number | null>>;

/** The conversions of a row, and the share of its visitors who converted. */
export function toConverted(
  { conversions, conversionRate }: Numbers,
  format: Pick<Format, 'percent'>,
): { value: number; note: string } {
  const rate = conversionRate ?? undefined;
  return { value: conversions ?? 0, note: rate === undefined ? '' : format.percent(rate, 1) };
}
