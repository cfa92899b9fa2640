import type { WebsiteStore } from '../../store/of-website.ts';
import type { ReadyDays } from '../days/keep-days.ts';
import { dimensionOf } from '../question/dimensions.ts';
import type { Question } from '../question/question.ts';
import { type AskDays, createAskDays, isOfDays } from './ask-days.ts';
import { usualListLimits } from './ask-lists.ts';
import { askRollups, canAskRollups } from './ask-rollups.ts';
import { askVisits, type Counted } from './ask-visits.ts';
import { createFindContaining, type FindContaining } from './find-containing.ts';
import { createGatherLists, type GatherLists, isList } from './gather-lists.ts';
import { createTurns, type TakeTurns } from './take-turns.ts';

export type Answered = Counted & { from: 'rollups' | 'visits' };

/** What questions that are asked at the same time share. */
export type SharedAnswers = {
  gatherLists: GatherLists;
  askDays: AskDays;
  findContaining: FindContaining;
  takeTurns: TakeTurns;
};

/** Questions to the visits that one website may have running: the engine has sessions for two websites at least. */
const atOnce = 2;

export function createSharedAnswers(limits = usualListLimits): SharedAnswers {
  const takeTurns = createTurns(atOnce);
  return {
    gatherLists: createGatherLists(takeTurns, limits),
    askDays: createAskDays(),
    findContaining: createFindContaining(),
    takeTurns,
  };
}

/** Answers from the sums of days where they suffice, else from the visits: both say the same. */
export async function answer(
  store: WebsiteStore,
  question: Question,
  ready: ReadyDays,
  shared: SharedAnswers,
): Promise<Answered> {
  const { builds, hasClients } = ready;
  if (canAskRollups(question, hasClients)) {
    if (isList(question) && question.filters.length === 0)
      return { from: 'rollups', ...(await shared.gatherLists(store, question, ready, 'rollups')) };
    if (isOfDays(question) && !hasClients)
      return { from: 'rollups', ...(await shared.askDays(store, question, ready.days)) };
    return { from: 'rollups', ...(await askRollups(store, question, builds, hasClients)) };
  }
  return { from: 'visits', ...(await answerFromVisits(store, question, ready, shared)) };
}

async function answerFromVisits(
  store: WebsiteStore,
  question: Question,
  ready: ReadyDays,
  shared: SharedAnswers,
): Promise<Counted> {
  const { builds } = ready;
  const found = await shared.findContaining(store, question, builds);
  if (isList(found) && isOfVisits(found)) return await shared.gatherLists(store, found, ready, 'visits');
  return await shared.takeTurns(store.websiteId, () => askVisits(store, found, builds));
}

/** Whether visits can be chosen for several such questions at once. */
function isOfVisits({ dimensions, filters }: Question): boolean {
  const key = dimensions[0]?.dimension;
  return (
    key !== undefined &&
    dimensionOf(key).level === 'visit' &&
    ![...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')
  );
}
