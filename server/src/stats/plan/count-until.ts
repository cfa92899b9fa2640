import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { addCounts, type Counts, noCounts } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Screen } from './plan-screen.ts';

/** The whole days of a period that ends in the middle of a day, and the part of that day. */
export function splitAtLastDay({ from, to, fromTime, toTime }: Period): readonly Period[] {
  if (fromTime !== '00:00' || toTime === undefined || from === to) return [];
  return [
    { from, to: addDays(to, -1) },
    { from: to, to, fromTime, toTime },
  ];
}

/**
 * Counts the totals of a period that may end in the middle of a day. Its whole days come from their sums, and
 * only the last one is counted by its visits. Visitors who come back on another day would count twice, so if
 * there may be any, all visits are counted.
 */
export async function countUntil(
  { count, ready }: Pick<Screen, 'count' | 'ready'>,
  question: Question,
): Promise<Counts> {
  const parts = splitAtLastDay(question.period);
  const isSplit = parts.length > 0 && !(await ready(question.period)).mayRepeat;
  const questions = isSplit ? parts.map((period) => ({ ...question, period })) : [question];
  const counted = await Promise.all(questions.map(count));
  return counted.map(({ rows }) => rows[0]?.counts ?? noCounts).reduce(addCounts);
}
