import { addDays } from '../calendar/day.ts';
import { monthStart } from '../calendar/month.ts';
import type { Period } from '../calendar/period.ts';
import { mondayOf } from '../calendar/week.ts';

/** Periods with a name. The meaning of a name depends on the current day at the website. */
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

/** Periods to compare with, other than one given by its days. */
export const comparisonNames = ['previousPeriod', 'previousYear'] as const;
export type ComparisonName = (typeof comparisonNames)[number];

/** Returns the days that a name means today. `firstDay` is the day of the website's first record. */
export function namedPeriod(name: PeriodName, today: string, firstDay: string): Period {
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
    case 'thisYear':
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    case 'all':
      return { from: firstDay < today ? firstDay : today, to: today };
  }
}
