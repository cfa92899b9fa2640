import { addDays, daysBetween } from '@trackside/contract/calendar/day.ts';
import { addMonths, monthStart } from '@trackside/contract/calendar/month.ts';
import {
  lastDays,
  type Period,
  previousPeriod,
  previousYear,
  sameWeekdays,
} from '@trackside/contract/calendar/period.ts';
import { namedPeriod } from '@trackside/contract/stats/periods.ts';
import type { Span, View } from './view.ts';

/** The days of a period. Only the store knows the first day of `all`, so it stands for twenty years here. */
export function spanOf(period: View['period'], today: string): Span {
  if (typeof period === 'object') return period;
  switch (period) {
    case '7d':
    case '30d':
    case '90d':
      return lastDays(Number.parseInt(period, 10), today);
    case '24h':
      // Only the server knows the minute. These are the days that contain it.
      return lastDays(2, today);
    case 'all':
      return { from: addMonths(monthStart(today), -239), to: today };
    default:
      return namedPeriod(period, today, today);
  }
}

/** The period of a question. */
export type AskedPeriod = 'all' | '24h' | `${number}d` | Span;

/**
 * The period to ask for. It has days instead of names, because page and server may disagree on the day at
 * midnight. `24h` ends with the minute of the answer.
 */
export const periodOf = ({ period }: Pick<View, 'period'>, today: string): AskedPeriod =>
  period === 'all' || period === '24h' ? period : spanOf(period, today);

/** The preceding days or minutes, of the same length. */
export const previousSpan = (span: Span): Span => toSpan(previousPeriod(toPeriod(span)));

/** The preceding days or minutes of the same length that begin on the same weekday. */
export const weekdaysBefore = (span: Span): Span => toSpan(sameWeekdays(toPeriod(span)));

/** The same days of the year before. */
export const yearBefore = (span: Span): Span => toSpan(previousYear(toPeriod(span)));

export const hasTimes = ({ from }: Span): boolean => from.includes('T');

export const daysOf = ({ from, to }: Span): number => daysBetween(from.slice(0, 10), to.slice(0, 10)) + 1;

/** Whether numbers of a period still change often: today's, and yesterday's by records that had to wait. */
export const mayChange = (period: View['period'], today: string): boolean =>
  spanOf(period, today).to.slice(0, 10) >= addDays(today, -1);

function toPeriod(span: Span): Period {
  const [from = '', fromTime] = span.from.split('T');
  const [to = '', toTime] = span.to.split('T');
  return fromTime === undefined || toTime === undefined ? { from, to } : { from, to, fromTime, toTime };
}

/** Converts a period in an answer to days or minutes. */
export function toSpan({ from, to, fromTime, toTime }: Period): Span {
  if (fromTime === undefined || toTime === undefined) return { from, to };
  return { from: `${from}T${fromTime}`, to: `${to}T${toTime}` };
}
