import type { AskDays } from '../cache/ask-days.ts';
import type { AskLists } from '../cache/ask-lists.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import type { Question } from '../question/read-question.ts';
import { askRollups } from '../sql/ask-rollups.ts';
import type { Counted } from '../sql/ask-visits.ts';
import type { StoreInTurn } from './ask-in-turn.ts';
import { isOfDays } from './is-in-rollups.ts';

export type DaySums = { askLists: AskLists; askDays: AskDays };

/** Answers questions with all of their values from the sums of days. */
export async function addUpDays(
  { askLists, askDays }: DaySums,
  store: StoreInTurn,
  questions: readonly Question[],
  days: readonly BuiltDay[],
  signal: AbortSignal | undefined,
): Promise<Counted[]> {
  const lists = questions.filter(isWholeList);
  const ofLists = lists.length === 0 ? [] : askLists(store, lists, days, signal);
  return await Promise.all(
    questions.map(async (question) => {
      if (isWholeList(question)) return (await ofLists)[lists.indexOf(question)]!;
      if (isOfDays(question)) return await askDays(store, question, days);
      return await askRollups(store.withSignal(signal), question, days, false);
    }),
  );
}

/** Whether a question asks for all values of a dimension, whose sums are kept in memory. */
function isWholeList({ dimensions, filters, interval }: Question): boolean {
  const isList = dimensions.length === 1 && interval === undefined && filters.length === 0;
  return isList && dimensions[0]!.dimension !== 'weekday';
}
