import { addDays } from '@trackside/contract/calendar/day.ts';
import { mondayOf, weekdayOf } from '@trackside/contract/calendar/week.ts';
import type { Span } from '../../view/view.ts';

export const weeksShown = 12;

/**
 * The weeks of the table: that of the last day, and those before it. A table of one week would tell nothing,
 * so that it does not follow the beginning of the period, only its end.
 */
export function weeksUpTo(lastDay: string): Span {
  return { from: addDays(mondayOf(lastDay), -7 * (weeksShown - 1)), to: lastDay };
}

/** Whether the last of the weeks goes on after the last day: its numbers can only grow. */
export const isWeekOpen = (lastDay: string): boolean => weekdayOf(lastDay) !== 0;
