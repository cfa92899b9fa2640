import type { CardMetric } from '../view/view.ts';
import type { OverviewWords } from './overview-words.ts';

export type ValueKind = 'count' | 'ratio' | 'share' | 'rate' | 'seconds';

type MetricTraits = { kind: ValueKind; isLessBetter?: true };

export const metricTraits: Readonly<Record<CardMetric, MetricTraits>> = {
  visitors: { kind: 'count' },
  visits: { kind: 'count' },
  pageViews: { kind: 'count' },
  events: { kind: 'count' },
  viewsPerVisit: { kind: 'ratio' },
  bounceRate: { kind: 'share', isLessBetter: true },
  conversions: { kind: 'count' },
  conversionRate: { kind: 'rate' },
  visitDuration: { kind: 'seconds' },
};

/** A value with its unit: 12 visitors. `spelt` is the value as it is written. */
export function withUnit(metric: CardMetric, value: number, spelt: string, words: OverviewWords): string {
  const { one, other } = words.metrics[metric].value;
  return (value === 1 ? one : other).replace('#', spelt);
}
