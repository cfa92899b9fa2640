import { addDays } from '@trackside/contract/calendar/day.ts';
import { monthStart } from '@trackside/contract/calendar/month.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { mondayOf } from '@trackside/contract/calendar/week.ts';

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

/** The days that a name means today. `firstDay` is that of the website's first record. */
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
