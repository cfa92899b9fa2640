import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { type DayBuild, numbersOf } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import type { Question } from '../question/read-question.ts';
import { askRollups } from '../sql/ask-rollups.ts';
import type { Counted } from '../sql/ask-visits.ts';

export type KeptRollups = ReturnType<typeof createKeptRollups>;

/** About 10 MB. */
const maxKeptRows = 30_000;

/**
 * Answers questions from the sums of each day. Where visitors have a ClientId, their sets are joined, which
 * takes long. Builds never change, so the answer is kept until one of the days has another build.
 */
export function createKeptRollups() {
  const kept = createBoundedCache<Counted>({ maxSize: maxKeptRows, sizeOf: ({ rows }) => 1 + rows.length });

  return async (
    store: StoreInTurn,
    question: Question,
    builds: readonly DayBuild[],
    hasClients: boolean,
  ): Promise<Counted> => {
    if (!hasClients) return await askRollups(store, question, builds, hasClients);
    const key = `${store.websiteId} ${builds.flatMap(numbersOf).join()} ${JSON.stringify(question)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const counted = await askRollups(store, question, builds, hasClients);
    kept.set(key, counted);
    return counted;
  };
}
