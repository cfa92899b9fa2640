import type { Clock } from '../../time/clock.ts';

/**
 * Answers that were asked for a moment ago, also while they are on their way. Many who open one public page at once, and the
 * requests that one screen sends one after the other, ask the same: each would wait in line for statements of its own.
 */
export function createRecentAnswers<Answer>({ clock, keptMs }: { clock: Clock; keptMs: number }) {
  const recent = new Map<string, { answer: Promise<Answer>; sinceMs: number }>();

  return {
    get(key: string): Promise<Answer> | undefined {
      const nowMs = clock.monotonicMs();
      for (const [other, { sinceMs }] of recent) if (nowMs - sinceMs >= keptMs) recent.delete(other);
      return recent.get(key)?.answer;
    },

    add(key: string, answer: Promise<Answer>): Promise<Answer> {
      const added = { answer, sinceMs: clock.monotonicMs() };
      if (keptMs > 0) recent.set(key, added);
      // Who comes next must not get a fault that is over.
      answer.catch(() => {
        if (recent.get(key) === added) recent.delete(key);
      });
      return answer;
    },
  };
}
