import { addDays } from '@trackside/contract/calendar/day.ts';
import { addMonths } from '@trackside/contract/calendar/month.ts';
import { daysOf, hasTimes, previousSpan, spanOf, yearBefore } from './periods.ts';
import type { Span, View } from './view.ts';

/**
 * The days that a view is compared with. Months are compared with months. Other periods of more than a week
 * start on the same weekday, so that Mondays line up and both have the same number of weekends.
 */
export function comparedSpan({ period, compare }: View, today: string): Span | undefined {
  if (compare === 'none') return undefined;
  const span = spanOf(period, today);
  if (compare === 'previousYear') return yearBefore(span);
  if (period === 'thisMonth' || period === 'lastMonth') return monthBefore(span);
  const days = daysOf(span);
  if (hasTimes(span) || days <= 7) return previousSpan(span);
  const back = -7 * Math.ceil(days / 7);
  return { from: addDays(span.from, back), to: addDays(span.to, back) };
}

/** From the first to the same day of the previous month. A whole month is compared with a whole month. */
function monthBefore({ from, to }: Span): Span {
  const first = addMonths(from, -1);
  const last = addDays(from, -1);
  const isWhole = addDays(to, 1).endsWith('-01');
  const same = `${first.slice(0, 7)}${to.slice(7)}`;
  return { from: first, to: isWhole || same > last ? last : same };
}
