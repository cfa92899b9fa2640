import { isDay } from '@trackside/contract/calendar/day.ts';
import { maxDays } from '@trackside/contract/stats/limits.ts';
import { daysOf } from '../view/periods.ts';
import type { Span } from '../view/view.ts';
import type { HeadWords } from './head-words.ts';

/** Checks a range of days that somebody has typed. Returns what is wrong with it. */
export function checkRange(span: Span, today: string, words: HeadWords['range']): string | undefined {
  if (!isDay(span.from) || !isDay(span.to)) return words.missing;
  if (span.from > span.to) return words.reversed;
  if (span.from > today) return words.future;
  return daysOf(span) > maxDays ? words.tooLong : undefined;
}
