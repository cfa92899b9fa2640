import type { Attempt } from '../faults/result.ts';
import type { Clock } from '../time/clock.ts';
import type { Exchange } from './exchange.ts';
import { judgeNetworkFault, judgeTimeout } from './judge-network-fault.ts';

export type Destination = {
  url: string;
  apiKey: string;
  /** The version of the program that sends. */
  release?: string | undefined;
  timeoutMs: number;
  exchange: Exchange;
};

/** Returns the headers of every request. */
export function senderHeaders({ apiKey, release }: Destination): Record<string, string> {
  const known = release === undefined ? {} : { 'Trackside-Release': release };
  return { Authorization: apiKey, 'Content-Type': 'application/json', ...known };
}

/**
 * Sends a request. Resolves to what it means, whatever happens: it never rejects, and never outlasts the
 * timeout. `toOutcome` says what an attempt without an answer means.
 */
export async function sendInTime<Outcome>(
  { timeoutMs, clock, signal }: { timeoutMs: number; clock: Clock; signal?: AbortSignal | undefined },
  request: (signal: AbortSignal) => Promise<Outcome>,
  toOutcome: (attempt: Attempt) => Outcome,
): Promise<Outcome> {
  const aborter = new AbortController();
  let stopTimer = () => {};
  const timeout = new Promise<Outcome>((resolve) => {
    const giveUp = () => {
      resolve(toOutcome(judgeTimeout(timeoutMs)));
      aborter.abort();
    };
    stopTimer = clock.startTimer(timeoutMs, giveUp, { keepsAlive: true });
    signal?.addEventListener('abort', giveUp, { once: true });
  });
  try {
    const answer = request(aborter.signal).catch((error: unknown) => toOutcome(judgeNetworkFault(error)));
    return await Promise.race([answer, timeout]);
  } finally {
    stopTimer();
  }
}
