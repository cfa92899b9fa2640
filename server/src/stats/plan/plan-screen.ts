import { isDeepStrictEqual } from 'node:util';
import type { Key } from '@trackside/contract/stats/questions.ts';
import { dimensionOf } from '../question/dimensions.ts';
import type { Question } from '../question/question.ts';

/**
 * What a question is answered from: the top of a dimension and the sums of whole days from what is kept in memory, anything
 * else that the sums of days say from the store, and the rest from the visits.
 */
export type Source = 'lists' | 'days' | 'rollups' | 'visits';

/** Questions that their source answers together, in one go. */
export type Step = { source: Source; questions: Question[] };

/** Plans the questions of a screen that are about the same days: those that read the same are read for by one statement. */
export function planScreen(questions: readonly Question[], hasClients: boolean): Step[] {
  const steps: Step[] = [];
  for (const question of questions) {
    const source = sourceOf(question, hasClients);
    const known = steps.find((step) => step.source === source && canJoin(step, question));
    if (known === undefined) steps.push({ source, questions: [question] });
    else known.questions.push(question);
  }
  return steps;
}

function sourceOf(question: Question, hasClients: boolean): Source {
  if (!isInRollups(question, hasClients)) return 'visits';
  if (isList(question) && question.filters.length === 0) return 'lists';
  return isOfDays(question) && !hasClients ? 'days' : 'rollups';
}

function canJoin({ source, questions }: Step, other: Question): boolean {
  const first = questions[0]!;
  switch (source) {
    case 'lists':
      return isSame(first, other, ['order', 'limit']);
    case 'visits':
      return isOfVisits(first) && isOfVisits(other) && isSame(first, other, ['period', 'filters', 'goal']);
    default:
      return false;
  }
}

const isSame = (one: Question, other: Question, members: readonly (keyof Question)[]) =>
  members.every((member) => isDeepStrictEqual(one[member], other[member]));

/**
 * Whether the sums of days answer a question: one dimension, or none, or none and one value of one. Visitors with a
 * ClientId are known on several days; their set is kept for whole days only, so that lists of a website that uses ClientId
 * need the visits.
 */
function isInRollups(question: Question, hasClients: boolean): boolean {
  const { period, interval, dimensions, filters, goal } = question;
  if (goal !== undefined || period.fromTime !== undefined || interval === 'minute') return false;
  if (dimensions.length > 1) return false;
  const key = dimensions[0] ?? onlyValue(question);
  if (key === undefined) {
    if (filters.length > 0) return false;
    return interval !== 'hour' || !hasClients || period.from === period.to;
  }
  if (hasClients || interval === 'hour') return false;
  // A filter on the dimension itself only picks some of its rows.
  if (!filters.every(({ dimension }) => dimension === key.dimension)) return false;
  if (key.dimension === 'weekday') return filters.length === 0;
  return dimensionOf(key.dimension).isRolledUp;
}

/** Asked for one value of a dimension: that row of its rollups. Several values would count a visitor for each of them. */
function onlyValue({ dimensions, filters }: Question): Key | undefined {
  const [filter, ...others] = filters;
  const isOne = dimensions.length === 0 && filter !== undefined && others.length === 0 && 'is' in filter;
  return isOne ? filter : undefined;
}

/** Whether a question is for the top of one dimension. */
function isList({ dimensions, interval, offset, limit, order }: Question): boolean {
  return (
    dimensions.length === 1 &&
    dimensions[0]!.dimension !== 'weekday' &&
    interval === undefined &&
    offset === 0 &&
    limit <= 100 &&
    order.length > 0 &&
    order.every(({ by }) => by !== 'dimension')
  );
}

/** Whether a question is a sum of whole days. */
function isOfDays({ dimensions, filters, interval }: Question): boolean {
  return dimensions.length === 0 && filters.length === 0 && interval !== 'hour' && interval !== 'minute';
}

/** Whether the visits can be chosen for a question together with others. */
function isOfVisits(question: Question): boolean {
  const { dimensions, filters, interval } = question;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (dimensions.length === 0) return interval !== 'minute' && interval !== 'hour';
  return isList(question) && dimensionOf(dimensions[0]!.dimension).level === 'visit';
}
