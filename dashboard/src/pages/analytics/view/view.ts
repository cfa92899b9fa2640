import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import { comparisonNames } from '@trackside/contract/stats/periods.ts';
import type { Filter, Goal } from '@trackside/contract/stats/questions.ts';

/** The periods that are offered, each with the key that chooses it. */
export const periodKeys = {
  '24h': 'h',
  today: '1',
  yesterday: '2',
  '7d': '3',
  '30d': '4',
  '90d': '5',
  thisWeek: 'w',
  thisMonth: '6',
  lastMonth: '7',
  thisQuarter: 'q',
  thisYear: 'y',
  '12m': '8',
  all: '9',
} as const;
export type NamedPeriod = keyof typeof periodKeys;
export const namedPeriods = Object.keys(periodKeys) as NamedPeriod[];
/** The key for a custom range. */
export const customRangeKey = 'c';

/**
 * The first and last day in the website's timezone, or minutes such as `2026-11-03T14:05`. Both are included.
 */
export type Span = { from: string; to: string };

export const comparisons = ['none', ...comparisonNames] as const;
/** A comparison by its name, or the days to compare with. */
export type Comparison = (typeof comparisons)[number] | Span;

/** Whether a period can be compared in this way. Nothing precedes all time. */
export const canCompare = (period: View['period'], compare: Comparison): boolean =>
  period !== 'all' || (compare !== 'previousPeriod' && compare !== 'sameWeekdays');

/** The metrics of the cards. The chart shows one of them. */
const visitMetrics = [
  'visitors',
  'visits',
  'pageViews',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
] as const;
/** The metrics that have a meaning where only events are counted. */
const eventMetrics = ['visitors', 'visits', 'events', 'conversionRate'] as const;
/** The metrics while a goal is chosen. */
const goalMetrics = ['visitors', 'visits', 'conversions', 'conversionRate'] as const;
export type CardMetric =
  | (typeof visitMetrics)[number]
  | (typeof eventMetrics)[number]
  | (typeof goalMetrics)[number];
export const cardMetrics: readonly CardMetric[] = [
  ...new Set([...visitMetrics, ...eventMetrics, ...goalMetrics]),
];

/** The metrics of a view's cards. Filtered by an event, there are no page views, bounces or entries to count. */
export function metricsOf({ filters, goal }: Pick<View, 'filters' | 'goal'>): readonly CardMetric[] {
  if (goal !== undefined) return goalMetrics;
  return filters.some(isOfEvents) ? eventMetrics : visitMetrics;
}

/** Whether a filter leaves only events. */
export const isOfEvents = (filter: Filter): boolean =>
  ['event', 'parameterName', 'parameterValue'].includes(filter.dimension) && !('isNot' in filter);

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
  /** What counts as a conversion. While it is chosen, lists show conversions. */
  goal: Goal | undefined;
  metric: CardMetric;
  /** Another metric in the chart, if somebody wants one. */
  second: CardMetric | undefined;
};

export const usualView: View = {
  period: '30d',
  compare: 'previousPeriod',
  interval: undefined,
  filters: [],
  goal: undefined,
  metric: 'visitors',
  second: undefined,
};
