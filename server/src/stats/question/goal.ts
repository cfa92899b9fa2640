import { type Goal, goalEventSchema, goalPageSchema } from '@trackside/contract/stats/questions.ts';
import type { Parameters } from './dimensions.ts';
import { QuestionError } from './question-error.ts';
import { readPage } from './read-address.ts';
import type { QuestionContext } from './read-period.ts';
import { readObject, readText, shown } from './read-value.ts';

/** Reads the goal of a question: the name of an event, or an object with a page or an event. */
export function readGoal(
  path: string,
  value: unknown,
  { addressRules }: Pick<QuestionContext, 'addressRules'> = {},
): Goal {
  if (typeof value === 'string') return { event: readName(path, value) };
  const asked = readObject(path, value, goalPageSchema, goalEventSchema);
  if ((asked.page === undefined) === (asked.event === undefined))
    throw new QuestionError(
      `${path}: expected either page or event, got ${asked.page === undefined ? 'neither' : 'both'}`,
    );
  if (asked.event !== undefined) return { event: readName(`${path}.event`, asked.event) };
  const page = readText(`${path}.page`, asked.page);
  if (!page.startsWith('/'))
    throw new QuestionError(`${path}.page: expected a path that begins with /, got ${shown(page)}`);
  return { page: readPage(page, addressRules) };
}

function readName(path: string, value: unknown): string {
  const name = readText(path, value);
  if (name === '') throw new QuestionError(`${path}: expected the name of an event, got an empty string`);
  return name;
}

/** Returns the condition, on a visit, that the goal was reached in it. */
export function reachedSql(goal: Goal, parameters: Parameters): string {
  if ('event' in goal) return `has(event_name, ${parameters.add('String', goal.event)})`;
  const isView = (matches: string) => `arrayExists((p, e) -> ${matches} and not e, path, is_event)`;
  if (goal.page.includes('*')) return isView(`p like ${parameters.add('String', toLike(goal.page))}`);
  const page = parameters.add('String', goal.page);
  // Looking at one column is quick, and rules out most visits.
  return `has(path, ${page}) and ${isView(`p = ${page}`)}`;
}

const toLike = (pattern: string) => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
