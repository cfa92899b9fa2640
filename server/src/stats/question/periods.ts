import type { Period } from '@trackside/contract/stats/answers.ts';
import type { PeriodName } from '@trackside/contract/stats/periods.ts';
import { isDay } from '../../time/calendar-day.ts';

/** The present moment at the website. */
export type LocalNow = { day: string; at: string };

const dayMs = 86_400_000;
const minuteMs = 60_000;

/** The days that a name means today. `firstDay` is that of the website's first record. */
export function namedPeriod(name: PeriodName, today: string, firstDay: string): Period {
  const month = today.slice(0, 7);
  switch (name) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) };
    case 'thisWeek':
      return { from: mondayOf(today), to: today };
    case 'thisMonth':
      return { from: `${month}-01`, to: today };
    case 'lastMonth': {
      const last = addDays(`${month}-01`, -1);
      return { from: `${last.slice(0, 7)}-01`, to: last };
    }
    case 'thisYear':
      return { from: `${today.slice(0, 4)}-01-01`, to: today };
    case 'all':
      return { from: firstDay < today ? firstDay : today, to: today };
  }
}

/** The last so many days, of which today is one. */
export function lastDays(days: number, today: string): Period {
  return { from: addDays(today, 1 - days), to: today };
}

/** The last so many minutes, of which the present one is one. */
export function lastMinutes(minutes: number, now: LocalNow): Period {
  const start = new Date(Date.parse(`${now.at.replace(' ', 'T')}Z`) - (minutes - 1) * minuteMs).toISOString();
  return {
    ...{ from: start.slice(0, 10), to: now.day },
    ...{ fromTime: start.slice(11, 16), toTime: now.at.slice(11, 16) },
  };
}

/** The period of the same length right before. */
export function previousPeriod({ from, to, fromTime, toTime }: Period): Period {
  if (fromTime === undefined || toTime === undefined) {
    const days = daysBetween(from, to) + 1;
    return { from: addDays(from, -days), to: addDays(from, -1) };
  }
  const startMs = Date.parse(`${from}T${fromTime}Z`);
  const minutes = (Date.parse(`${to}T${toTime}Z`) - startMs) / minuteMs + 1;
  const start = new Date(startMs - minutes * minuteMs).toISOString();
  const end = new Date(startMs - minuteMs).toISOString();
  return {
    ...{ from: start.slice(0, 10), to: end.slice(0, 10) },
    ...{ fromTime: start.slice(11, 16), toTime: end.slice(11, 16) },
  };
}

/** The same days a year before; the last of February stands in for its 29th. */
export function previousYear(period: Period): Period {
  return { ...period, from: yearBefore(period.from), to: yearBefore(period.to) };
}

/** A day up to the time that it is now. */
export function untilNow({ from, to }: Period, now: LocalNow): Period {
  return { from, to, fromTime: '00:00', toTime: now.at.slice(11, 16) };
}

function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0');
  const same = `${year}${day.slice(4)}`;
  return isDay(same) ? same : `${year}-02-28`;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs);
}

export function mondayOf(day: string): string {
  return addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}
