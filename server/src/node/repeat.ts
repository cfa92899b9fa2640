import type { Log } from '../log.ts';

/** Does work again and again, but never twice at a time. A failure is logged, and the next turn tries again. */
export function repeat(options: {
  intervalMs: number;
  /** When it is done for the first time, if that is before the first interval is over. */
  firstMs?: number;
  work: (signal: AbortSignal) => Promise<void>;
  log: Log;
  failure: string;
}) {
  const { intervalMs, firstMs, work, log, failure } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= work(stopping.signal)
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        running = undefined;
      });
  };
  const first = firstMs === undefined ? undefined : setTimeout(run, firstMs).unref();
  const timer = setInterval(run, intervalMs).unref();
  return {
    async stop(): Promise<void> {
      clearTimeout(first);
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
