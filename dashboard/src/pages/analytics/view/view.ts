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

/**
 * The first and last day in the website's timezone, or minutes such as `2026-11-03T14:05`. Both are included.
 */
export type Span = { from: string; to: string };

export const comparisons = ['none', ...comparisonNames] as const;
export type Comparison = (typeof comparisons)[number];

/** The metrics of the cards. The chart shows one of them. */
export const cardMetrics = [
  'visitors',
  'visits',
  'pageViews',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
] as const;
export type CardMetric = (typeof cardMetrics)[number];

/**
 * Everything that determines the numbers on the page. All of it is in the address, so a link reproduces the
 * view.
 */
export type View = {
  period: NamedPeriod | Span;
  compare: Comparison;
  /** Undefined for the default interval of the period. */
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
