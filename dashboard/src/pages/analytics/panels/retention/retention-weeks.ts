import { addDays } from '@trackside/contract/calendar/day.ts';
import { mondayOf, weekdayOf } from '@trackside/contract/calendar/week.ts';
import type { Span } from '../../view/view.ts';

export const weeksShown = 12;

/**
 * The weeks of the table: the week of the last day and those before it. Only the end of the period counts,
 * because a table of a short period would say nothing.
 */
export function weeksUpTo(lastDay: string): Span {
  return { from: addDays(mondayOf(lastDay), -7 * (weeksShown - 1)), to: lastDay };
}

/** Whether the last week continues after the last day, so that its numbers can still grow. */
export const isWeekOpen = (lastDay: string): boolean => weekdayOf(lastDay) !== 0;
