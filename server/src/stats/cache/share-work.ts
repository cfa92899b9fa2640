type Running<Answer> = { answer: Promise<Answer>; waiting: number; nobodyLeft: AbortController };

/**
 * Has what is under way done once for all who ask for it meanwhile. Many who open one public page at the same time want the
 * same numbers, and its link has one turn at a time: without this, the last of them would wait for the work of all others.
 * Whoever goes is let go at once; the signal for the work is aborted when nobody is left who waits for it.
 */
export function createSharedWork<Answer>() {
  const running = new Map<string, Running<Answer>>();

  function begin(key: string, work: (signal: AbortSignal) => Promise<Answer>): Running<Answer> {
    const nobodyLeft = new AbortController();
    const answer = work(nobodyLeft.signal).finally(() => forget(key, begun));
    const begun: Running<Answer> = { answer, waiting: 0, nobodyLeft };
    running.set(key, begun);
    return begun;
  }

  function forget(key: string, one: Running<Answer>): void {
    if (running.get(key) === one) running.delete(key);
  }

  return (
    key: string,
    work: (signal: AbortSignal) => Promise<Answer>,
    signal?: AbortSignal,
  ): Promise<Answer> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const joined = running.get(key) ?? begin(key, work);
    joined.waiting += 1;
    return new Promise<Answer>((resolve, reject) => {
      const leave = () => {
        joined.waiting -= 1;
        reject(signal!.reason);
        if (joined.waiting > 0) return;
        // Before the work ends: whoever comes now begins anew, and does not get what was given up.
        forget(key, joined);
        joined.nobodyLeft.abort(signal!.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      joined.answer.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
    });
  };
}
