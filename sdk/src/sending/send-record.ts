import type { Attempt } from '../faults/result.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import { readAnswer } from './read-answer.ts';
import { type Destination, sendInTime } from './send-in-time.ts';

/** A record, and which attempt this is, from 1 on. */
export type AttemptedRecord = TrackRecord & { attempts: number };

/** Answers of Trackside have some hundred bytes, and nothing is needed from a proxy's page. */
const maxAnswerBytes = 16 * 1024;

/** Sends one record in a request of its own. */
export function sendRecord(
  { url, apiKey, timeoutMs, exchange }: Destination,
  { key, path, body, attempts }: AttemptedRecord,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Attempt> {
  const headers = {
    Authorization: apiKey,
    'Content-Type': 'application/json',
    'Idempotency-Key': key,
    // A first attempt needs no question to other servers.
    'Trackside-Attempt': String(attempts),
  };
  const request = async (inTime: AbortSignal) => {
    const answer = await exchange({ url: `${url}${path}`, headers, body, maxAnswerBytes }, inTime);
    return readAnswer(answer, { now: clock.now(), apiKey });
  };
  return sendInTime({ timeoutMs, clock, signal }, request, (attempt) => attempt);
}
