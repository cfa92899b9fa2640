import { type Interval, intervalEnd } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Span } from '../../view/view.ts';
import { keepWithin } from './keep-within.ts';

/** The days or minutes from one interval to the end of another, cut off at the ends of the period. */
export function cutToPeriod(interval: Interval, period: Period, first: string, last: string): Span {
  const isOfDays = first.length === 10;
  const earliest = isOfDays ? period.from : `${period.from}T${period.fromTime ?? '00:00'}`;
  const latest = isOfDays ? period.to : `${period.to}T${period.toTime ?? '23:59'}`;
  const within = (time: string) => keepWithin(time, earliest, latest);
  return { from: within(first), to: within(intervalEnd(interval, last)) };
}
