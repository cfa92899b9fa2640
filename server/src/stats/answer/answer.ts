import type { WebsiteStore } from '../../store/of-website.ts';
import type { ReadyDays } from '../days/keep-days.ts';
import type { Question } from '../question/question.ts';
import { askRollups, canAskRollups } from './ask-rollups.ts';
import { askVisits, type Counted } from './ask-visits.ts';
import { type GatherLists, isList } from './gather-lists.ts';

export type Answered = Counted & { from: 'rollups' | 'visits' };

/** Answers from the sums of days where they suffice, else from the visits: both say the same. */
export async function answer(
  store: WebsiteStore,
  question: Question,
  { builds, hasClients }: ReadyDays,
  gatherLists: GatherLists,
): Promise<Answered> {
  if (canAskRollups(question, hasClients)) {
    const counted = isList(question)
      ? await gatherLists(store, question, builds)
      : await askRollups(store, question, builds, hasClients);
    return { from: 'rollups', ...counted };
  }
  return { from: 'visits', ...(await askVisits(store, question, builds)) };
}
