import { isDay } from '@trackside/contract/calendar/day.ts';
import { maxDays } from '@trackside/contract/stats/limits.ts';
import { daysOf } from '../view/periods.ts';
import type { Span } from '../view/view.ts';

/** Checks a range of days that somebody has typed. Returns what is wrong with it. */
export function checkRange(span: Span, today: string): string | undefined {
  if (!isDay(span.from) || !isDay(span.to)) return 'Enter both days.';
  if (span.from > span.to) return 'The first day lies after the last one.';
  if (span.from > today) return 'This range has not begun yet.';
  return daysOf(span) > maxDays ? 'Choose at most twenty years.' : undefined;
}
