import { useEffect, useRef } from 'preact/hooks';
import { listenForReturn } from '#browser/listen-for-return.ts';

type Options = {
  everyMs: number;
  /** The pause between requests grows up to this while there is nothing new. */
  slowestMs: number;
  /** Identifies what is polled. Polling restarts when it changes and stops when it is undefined. */
  subject: string | undefined;
};

/** Asks repeatedly while the page is visible. `ask` resolves to whether there was anything new. */
export function usePolling(ask: (signal: AbortSignal) => Promise<boolean>, options: Options): void {
  const { everyMs, slowestMs, subject } = options;
  const latest = useRef(ask);
  latest.current = ask;

  useEffect(() => {
    if (subject === undefined) return;
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pauseMs = everyMs;
    let isAsking = false;

    async function round(): Promise<void> {
      clearTimeout(timer);
      if (document.visibilityState !== 'visible' || isAsking) return;
      isAsking = true;
      const hasNews = await latest.current(aborter.signal).catch(() => false);
      isAsking = false;
      if (aborter.signal.aborted) return;
      pauseMs = hasNews ? everyMs : Math.min(pauseMs * 1.1, slowestMs);
      timer = setTimeout(round, pauseMs);
    }

    void round();
    const stopListening = listenForReturn(() => {
      pauseMs = everyMs;
      void round();
    });
    return () => {
      aborter.abort();
      clearTimeout(timer);
      stopListening();
    };
  }, [everyMs, slowestMs, subject]);
}
