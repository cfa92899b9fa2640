import type { Key } from '@trackside/contract/stats/questions.ts';
import { dimensionOf } from '../question/dimensions.ts';
import type { Question } from '../question/read-question.ts';

/**
 * Whether the sums of days can answer a question: one for the whole, for the values of one dimension, or for
 * one of these values. A visitor with a ClientId can come on several days. The set of these visitors is kept
 * for whole days only, so lists of a website that uses ClientId need the visits.
 */
export function isInRollups(question: Question, mayRepeat: boolean): boolean {
  const { period, interval, dimensions, filters, goal } = question;
  if (goal !== undefined || period.fromTime !== undefined || interval === 'minute') return false;
  if (dimensions.length > 1) return false;
  const key = dimensions[0] ?? onlyValue(question);
  if (key === undefined) return filters.length === 0;
  if (mayRepeat || interval === 'hour') return false;
  // A filter on the dimension itself only picks some of its rows.
  if (!filters.every(({ dimension }) => dimension === key.dimension)) return false;
  if (key.dimension === 'weekday') return filters.length === 0;
  return dimensionOf(key.dimension).isRolledUp;
}

/**
 * The dimension of which a question asks for one value: a row of its rollups has the answer. With several
 * values, a visitor would count once for each of them.
 */
function onlyValue({ dimensions, filters }: Question): Key | undefined {
  const [filter, ...others] = filters;
  const isOne = dimensions.length === 0 && filter !== undefined && others.length === 0 && 'is' in filter;
  return isOne ? filter : undefined;
}

/** Whether a question asks for sums of whole days. */
export function isOfDays({ dimensions, filters, interval }: Question): boolean {
  return dimensions.length === 0 && filters.length === 0 && interval !== 'hour' && interval !== 'minute';
}
