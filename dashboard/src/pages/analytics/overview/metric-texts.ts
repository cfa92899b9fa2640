import type { CardMetric } from '../view/view.ts';

export type ValueKind = 'count' | 'ratio' | 'share' | 'seconds';

type MetricText = {
  label: string;
  kind: ValueKind;
  /** The unit after a value in a sentence: for one, and for any other number. */
  unit: readonly [one: string, many: string];
  isLessBetter?: true;
};

export const metricTexts: Record<CardMetric, MetricText> = {
  visitors: { label: 'Visitors', kind: 'count', unit: ['visitor', 'visitors'] },
  visits: { label: 'Visits', kind: 'count', unit: ['visit', 'visits'] },
  pageViews: { label: 'Page views', kind: 'count', unit: ['page view', 'page views'] },
  viewsPerVisit: { label: 'Views per visit', kind: 'ratio', unit: ['view per visit', 'views per visit'] },
  bounceRate: { label: 'Bounce rate', kind: 'share', unit: ['bounced', 'bounced'], isLessBetter: true },
  visitDuration: { label: 'Visit duration', kind: 'seconds', unit: ['per visit', 'per visit'] },
};
