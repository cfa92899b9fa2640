import type { Clock } from '../../time/clock.ts';

type Shared<Answer> = {
  answer: Promise<Answer>;
  sinceMs: number;
  waiting: number;
  nobodyLeft: AbortController;
};

/** How long others can join: from its beginning, for so long; or while it is under way. */
type Options = { clock: Clock; forMs: number | 'underWay' };

/**
 * Answers that several requests have in common. Many who open one public page at the same time want the same
 * numbers, and its link has one turn at a time: without this, the last of them would wait for the statements
 * of all others. Whoever goes is let go at once; the signal of the work is aborted when nobody is left who
 * waits for it.
 */
export function createSharedAnswers<Answer>({ clock, forMs }: Options) {
  const shared = new Map<string, Shared<Answer>>();

  function forget(key: string, one: Shared<Answer>): void {
    if (shared.get(key) === one) shared.delete(key);
  }

  function forgetOld(): void {
    if (forMs === 'underWay') return;
    const nowMs = clock.monotonicMs();
    for (const [key, one] of shared) if (nowMs - one.sinceMs >= forMs) forget(key, one);
  }

  function join(key: string, joined: Shared<Answer>, signal: AbortSignal | undefined): Promise<Answer> {
    joined.waiting += 1;
    if (signal === undefined) return joined.answer;
    return new Promise<Answer>((resolve, reject) => {
      const leave = () => {
        joined.waiting -= 1;
        reject(signal.reason);
        if (joined.waiting > 0) return;
        // Before the work ends: whoever comes now begins anew, and does not get what was given up.
        forget(key, joined);
        joined.nobodyLeft.abort(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      joined.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  return {
    /** What another has begun, if that can be joined. */
    get(key: string, signal?: AbortSignal): Promise<Answer> | undefined {
      forgetOld();
      const known = shared.get(key);
      return known && join(key, known, signal);
    },

    begin(
      key: string,
      work: (signal: AbortSignal) => Promise<Answer>,
      signal?: AbortSignal,
    ): Promise<Answer> {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const nobodyLeft = new AbortController();
      const answer = work(nobodyLeft.signal);
      const begun: Shared<Answer> = { answer, sinceMs: clock.monotonicMs(), waiting: 0, nobodyLeft };
      if (forMs !== 0) shared.set(key, begun);
      answer.then(
        () => forMs === 'underWay' && forget(key, begun),
        // Who comes next must not get a fault that is over.
        () => forget(key, begun),
      );
      return join(key, begun, signal);
    },
  };
}

export type SharedAnswers<Answer> = ReturnType<typeof createSharedAnswers<Answer>>;
