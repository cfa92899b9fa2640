import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import { minutesBetween } from '@trackside/contract/calendar/minute.ts';
import { daysOf, hasTimes, spanOf } from './periods.ts';
import type { Span, View } from './view.ts';

const dayMinutes = 1_440;
const quarterDays = 92;
const threeYearsDays = 1_096;

/** The intervals that make a readable chart of a period, shortest first. */
export function intervalsOf(period: View['period'], today: string): readonly Interval[] {
  // All time may be as short as a day or as long as many years.
  if (period === 'all') return ['day', 'week', 'month'];
  if (period === '24h') return ['minute', 'hour'];
  const span = spanOf(period, today);
  const days = daysOf(span);
  if (days === 1 || (hasTimes(span) && minutesOf(span) <= dayMinutes)) return ['minute', 'hour'];
  if (days <= 7) return ['hour', 'day'];
  if (days <= quarterDays) return ['day', 'week'];
  return days <= threeYearsDays ? ['day', 'week', 'month'] : ['week', 'month'];
}

/** The chosen interval if it fits the period, otherwise the default one. */
export function intervalOf({ period, interval }: Pick<View, 'period' | 'interval'>, today: string): Interval {
  if (interval !== undefined && intervalsOf(period, today).includes(interval)) return interval;
  if (period === 'all') return 'week';
  if (period === '24h') return 'hour';
  const span = spanOf(period, today);
  const days = daysOf(span);
  if (hasTimes(span) && minutesOf(span) <= 180) return 'minute';
  if (days <= 3) return 'hour';
  if (days <= quarterDays) return 'day';
  return days <= 2 * 366 ? 'week' : 'month';
}

const minutesOf = ({ from, to }: Span) => minutesBetween(from, to) + 1;
