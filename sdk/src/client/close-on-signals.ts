import { constants } from 'node:os';

export type Closable = { close(options?: { withinMs?: number }): Promise<unknown> };

type Signal = 'SIGTERM' | 'SIGINT';

/**
 * Sends the remaining records when the process is told to end, and then lets it end as the signal would have.
 * If the program itself listens to the signal, it decides when to end, and should wait for `close()` too.
 * Returns a function that removes the listeners.
 */
export function closeOnSignals(
  trackside: Closable,
  options: { signals?: readonly Signal[]; withinMs?: number } = {},
): () => void {
  const { signals = ['SIGTERM', 'SIGINT'], withinMs = 5000 } = options;
  const stop = () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = async (signal: Signal) => {
    await trackside.close({ withinMs }).catch(() => {});
    stop();
    if (process.listenerCount(signal) === 0) endBy(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return stop;
}

/** Ends the process as the signal would. The kernel spares PID 1, which is what a program in a container is. */
function endBy(signal: Signal): void {
  if (process.pid === 1) process.exit(128 + constants.signals[signal]);
  process.kill(process.pid, signal);
}
