import type { WebsiteStore } from '../../store/website-store.ts';
import { type AskDays, createAskDays, isOfDays } from '../cache/ask-days.ts';
import { usualListLimits } from '../cache/ask-lists.ts';
import type { ReadyDays } from '../days/keep-days.ts';
import type { Question } from '../question/question.ts';
import { askRollups, canAskRollups } from '../sql/ask-rollups.ts';
import { askVisits, type Counted } from '../sql/ask-visits.ts';
import { createGatherLists, type GatherLists, isList } from './gather-lists.ts';
import { createGatherVisits, type GatherVisits, isOfVisits } from './gather-visits.ts';

export type Answered = Counted & { from: 'rollups' | 'visits' };

/** What questions that are asked at the same time share. */
export type SharedAnswers = {
  gatherLists: GatherLists;
  gatherVisits: GatherVisits;
  askDays: AskDays;
};

export function createSharedAnswers(limits = usualListLimits): SharedAnswers {
  return {
    gatherLists: createGatherLists(limits),
    gatherVisits: createGatherVisits(),
    askDays: createAskDays(),
  };
}

/**
 * Answers from the sums of days where they suffice, else from the visits: both say the same. What nobody waits for any more
 * is given up.
 */
export async function answer(
  store: WebsiteStore,
  question: Question,
  ready: ReadyDays,
  shared: SharedAnswers,
  signal?: AbortSignal,
): Promise<Answered> {
  const answered = await answerPage(store, question, ready, shared, signal);
  if (answered.rows.length > 0 || question.offset === 0) return answered;
  // Behind the last row there is none that could tell how many there are.
  const first = { ...question, offset: 0, limit: 1 };
  const { totalRows } = await answerPage(store, first, ready, shared, signal);
  return { ...answered, totalRows };
}

async function answerPage(
  store: WebsiteStore,
  question: Question,
  { days, builds, hasClients }: ReadyDays,
  shared: SharedAnswers,
  signal: AbortSignal | undefined,
): Promise<Answered> {
  if (canAskRollups(question, hasClients)) {
    if (isList(question) && question.filters.length === 0)
      return { from: 'rollups', ...(await shared.gatherLists(store, question, days, signal)) };
    if (isOfDays(question) && !hasClients)
      return { from: 'rollups', ...(await shared.askDays(store, question, days)) };
    return { from: 'rollups', ...(await askRollups(store.until(signal), question, builds, hasClients)) };
  }
  if (isOfVisits(question))
    return { from: 'visits', ...(await shared.gatherVisits(store, question, builds, signal)) };
  return { from: 'visits', ...(await askVisits(store.until(signal), question, builds)) };
}
