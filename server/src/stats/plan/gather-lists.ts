import type { WebsiteStore } from '../../store/website-store.ts';
import { createAskLists, type ListLimits } from '../cache/ask-lists.ts';
import type { BuiltDay } from '../days/keep-days.ts';
import type { Question } from '../question/question.ts';
import type { Counted } from '../sql/ask-visits.ts';
import { createGatherer } from './create-gatherer.ts';

export type GatherLists = ReturnType<typeof createGatherLists>;

const nothing: Counted = { rows: [], totalRows: 0 };

/** A screen asks for the top of many dimensions at once: the sums of all of them are read by one statement. */
export function createGatherLists(limits: ListLimits) {
  const gather = createGatherer<Question, Counted>();
  const askLists = createAskLists(limits);

  return (
    store: WebsiteStore,
    question: Question,
    days: readonly BuiltDay[],
    signal?: AbortSignal,
  ): Promise<Counted> => {
    const { period, order, limit } = question;
    const key = JSON.stringify([store.websiteId, period, order, limit, days]);
    const answerAll = async (questions: readonly Question[], untilGone: AbortSignal) => {
      const found = await askLists(store, questions, days, untilGone);
      return questions.map(({ dimensions }) => found.get(dimensions[0]!.dimension) ?? nothing);
    };
    return gather(key, question, answerAll, signal);
  };
}

/** Whether a question is one of those lists: the top of one dimension. */
export function isList({ dimensions, interval, offset, limit, order }: Question): boolean {
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
