import type { Attempt } from '../faults/result.ts';
import { type Clock, wait } from '../time/clock.ts';
import { backoffMs } from './backoff.ts';

/** A program waits for this. If the server asks for more time, the program has to send the record later. */
const longestWaitMs = 30_000;

/** Sends until there is an answer that another attempt would not change, or no attempt is left. */
export async function sendWithRetries(
  send: () => Promise<Attempt>,
  { retries, clock, onRetry }: { retries: number; clock: Clock; onRetry: () => void },
): Promise<Attempt> {
  let attempt = await send();
  for (let failures = 1; failures <= retries && attempt.isTransient; failures += 1) {
    const { result } = attempt;
    const askedMs = result.kind === 'unavailable' ? (result.retryAfterMs ?? 0) : 0;
    if (askedMs > longestWaitMs) break;
    await wait(clock, askedMs + backoffMs(failures, clock.random));
    onRetry();
    attempt = await send();
  }
  return attempt;
}
