import type { Filter, Goal } from '@trackside/contract/stats/questions.ts';
import { trackingLengths } from '@trackside/contract/tracking/lengths.ts';
import { hasControlCharacters } from '../../control/websites/parse-one-line.ts';
import { OperatorError } from '../../operator-error.ts';
import { readGoal } from '../../stats/question/goal.ts';
import { QuestionError } from '../../stats/question/question-error.ts';
import { readFilters } from '../../stats/question/read-question.ts';

/** Reads the filters of a segment from a form, as the statistics read them, so that all of them can be asked. */
export function readSegmentFilters(value: unknown): readonly Filter[] {
  const filters = asOperatorError(() => readFilters({ filters: value }, {}));
  if (filters.length === 0) throw new OperatorError('Expected at least one filter, got none.');
  return filters;
}

/** Reads the page or the event of a goal from a form, as the statistics read it. */
export function readGoalTarget(value: unknown): Goal {
  // In a question, a text is the name of an event. A form says what it is, as documented.
  if (typeof value !== 'object') throw new OperatorError('Expected a page or an event.');
  const typed = value as { page?: unknown } | null;
  const goal = asOperatorError(() =>
    readGoal('goal', typeof typed?.page === 'string' ? { ...typed, page: typed.page.trim() } : value),
  );
  const [text, maxLength] =
    'page' in goal ? [goal.page, trackingLengths.parameterValue] : [goal.event, trackingLengths.name];
  if (text.trim() === '') throw new OperatorError('Expected the name of an event, got whitespace.');
  if (text.length > maxLength)
    throw new OperatorError(`Expected at most ${maxLength} characters, got ${text.length}.`);
  if (hasControlCharacters(text))
    throw new OperatorError('Expected one line of text, got control characters.');
  return goal;
}

/** A fault in the question becomes a fault of the form's field. */
function asOperatorError<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof QuestionError ? new OperatorError(`${error.message}.`) : error;
  }
}
