import type { Attempt } from '../faults/result.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import type { Exchange } from './exchange.ts';
import { judgeNetworkFault, judgeTimeout } from './judge-network-fault.ts';
import { readAnswer } from './read-answer.ts';

export type Destination = {
  url: string;
  apiKey: string;
  timeoutMs: number;
  exchange: Exchange;
};

/**
 * Sends one request. Resolves to the outcome, whatever happens: it never rejects, and never outlasts the
 * timeout.
 */
export async function sendRecord(
  destination: Destination,
  record: TrackRecord & {
    /** Which attempt this is, from 1 on. */
    attempts: number;
  },
  clock: Clock,
  signal?: AbortSignal,
): Promise<Attempt> {
  const { timeoutMs } = destination;
  const aborter = new AbortController();
  let stopTimer = () => {};
  const timeout = new Promise<Attempt>((resolve) => {
    const giveUp = () => {
      resolve(judgeTimeout(timeoutMs));
      aborter.abort();
    };
    stopTimer = clock.startTimer(timeoutMs, giveUp, { keepsAlive: true });
    signal?.addEventListener('abort', giveUp, { once: true });
  });
  try {
    const answer = request(destination, record, aborter.signal, clock).catch(judgeNetworkFault);
    return await Promise.race([answer, timeout]);
  } finally {
    stopTimer();
  }
}

async function request(
  { url, apiKey, exchange }: Destination,
  { key, path, body, attempts }: TrackRecord & { attempts: number },
  signal: AbortSignal,
  clock: Clock,
): Promise<Attempt> {
  const headers = {
    Authorization: apiKey,
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
    // A first attempt needs no question to other servers.
    'Trackside-Attempt': String(attempts),
  };
  const answer = await exchange({ url: `${url}${path}`, headers, body }, signal);
  return readAnswer(answer, { now: clock.now(), apiKey });
}
