import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import { comparisonNames } from '@trackside/contract/stats/periods.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';

export const namedPeriods = [
  'today',
  'yesterday',
  '7d',
  '30d',
  '90d',
  'thisMonth',
  'lastMonth',
  '12m',
  'all',
] as const;
export type NamedPeriod = (typeof namedPeriods)[number];

/** Local days of the website, both included; or minutes of it, such as `2026-11-03T14:05`. */
export type Span = { from: string; to: string };

export const comparisons = ['none', ...comparisonNames] as const;
export type Comparison = (typeof comparisons)[number];

/** What the cards show, and the chart one of them. */
export const cardMetrics = [
  'visitors',
  'visits',
  'pageViews',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
] as const;
export type CardMetric = (typeof cardMetrics)[number];

/** Everything that decides which numbers are on the page. It is all in the address: a link is the view. */
export type View = {
  period: NamedPeriod | Span;
  compare: Comparison;
  /** undefined: the one that fits the period. */
  interval: Interval | undefined;
  filters: readonly Filter[];
  metric: CardMetric;
};

export const usualView: View = {
  period: '30d',
  compare: 'previousPeriod',
  interval: undefined,
  filters: [],
  metric: 'visitors',
};
