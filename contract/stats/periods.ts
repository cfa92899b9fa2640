/** Periods that have a name; what a name means depends on the day at the website. */
export const periodNames = [
  'today',
  'yesterday',
  'thisWeek',
  'thisMonth',
  'lastMonth',
  'thisYear',
  'all',
] as const;
export type PeriodName = (typeof periodNames)[number];

/** Periods to compare with, other than one that is given by its days. */
export const comparisonNames = ['previousPeriod', 'previousYear'] as const;
export type ComparisonName = (typeof comparisonNames)[number];
