import type { Answers } from '@trackside/contract/stats/answers.ts';
import type { StatsKind } from '@trackside/contract/stats/kinds.ts';

export type KeptAnswer = { answer: Answers[StatsKind]; atMs: number };

export type KeptAnswers = ReturnType<typeof createKeptAnswers>;

/** The last answers, by question: what was seen before is there at once when somebody goes back to it. */
export function createKeptAnswers({ most, now }: { most: number; now: () => number }) {
  const kept = new Map<string, KeptAnswer>();
  return {
    get(key: string): KeptAnswer | undefined {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      // To the end: the first one is the next to be forgotten.
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    put(key: string, answer: Answers[StatsKind]): void {
      kept.delete(key);
      kept.set(key, { answer, atMs: now() });
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    },
    ageMs: ({ atMs }: KeptAnswer): number => now() - atMs,
  };
}
