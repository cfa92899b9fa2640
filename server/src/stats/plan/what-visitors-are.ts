import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { VisitorsAre } from '@trackside/contract/stats/answers.ts';
import type { BuiltDay } from '../days/ready-days.ts';

/**
 * Determines how the visitors of these days, or of an interval in them, are counted. Visitors without a
 * ClientId cannot be recognized on another day. `sumVisitors` adds up the visitors of each day, and is called
 * only if it decides.
 */
export async function whatVisitorsAre(
  days: readonly BuiltDay[],
  interval: Interval | undefined,
  sumVisitors: () => Promise<number>,
): Promise<VisitorsAre> {
  const isWithinDay = interval === 'minute' || interval === 'hour' || interval === 'day';
  if (isWithinDay || days.length < 2) return 'distinct';
  const clients = days.reduce((sum, day) => sum + day.clients, 0);
  if (clients === 0) return 'daily';
  return (await sumVisitors()) > clients ? 'mixed' : 'distinct';
}
