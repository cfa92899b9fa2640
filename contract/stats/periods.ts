import { addDays } from '../calendar/day.ts';
import { addMonths, monthStart } from '../calendar/month.ts';
import type { Period } from '../calendar/period.ts';
import { mondayOf } from '../calendar/week.ts';

/** Periods with a name. The meaning of a name depends on the current day at the website. */
export const periodNames = [
  '24h',
  'today',
  'yesterday',
  'thisWeek',
  'thisMonth',
  'lastMonth',
  'thisQuarter',
  'thisYear',
  '12m',
  'all',
] as const;
export type PeriodName = (typeof periodNames)[number];
/** The names that mean whole days. `24h` means minutes up to the current one. */
export type DayPeriodName = Exclude<PeriodName, '24h'>;

/** Periods to compare with, other than one given by its days. */
export const comparisonNames = ['previousPeriod', 'sameWeekdays', 'previousYear'] as const;
export type ComparisonName = (typeof comparisonNames)[number];

/** Returns the days that a name means today. `firstDay` is the day of the website's first record. */
export function namedPeriod(name: DayPeriodName, today: string, firstDay: string): Period {
  switch (name) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'thisWeek':
      return { from: mondayOf(today), to: today };
    case 'thisMonth':
      return { from: monthStart(today), to: today };
    case 'lastMonth': {
      const last = addDays(monthStart(today), -1);
      return { from: monthStart(last), to: last };
    }
    case 'thisQuarter':
      return { from: quarterStart(today), to: today };
    case '12m': {
      const thisMonth = monthStart(today);
      return { from: addMonths(thisMonth, -12), to: addDays(thisMonth, -1) };
    }
    case 'thisYear':
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    case 'all':
      return { from: firstDay < today ? firstDay : today, to: today };
  }
}

function quarterStart(day: string): string {
  const monthsIn = (Number(day.slice(5, 7)) - 1) % 3;
  return addMonths(monthStart(day), -monthsIn);
}
