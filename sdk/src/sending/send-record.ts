import type { Attempt } from '../faults/result.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import { addOccurredAt } from './occurred-at.ts';
import { readAnswer } from './read-answer.ts';
import { type Destination, senderHeaders, sendInTime } from './send-in-time.ts';

/** A record, which attempt this is, from 1 on, and the time to send with it. */
export type AttemptedRecord = TrackRecord & { attempts: number; occurredAt?: number | undefined };

/** Answers of Trackside have some hundred bytes, and nothing is needed from a proxy's page. */
const maxAnswerBytes = 16 * 1024;

/** Sends one record in a request of its own. */
export function sendRecord(
  destination: Destination,
  record: AttemptedRecord,
  clock: Clock,
  signal?: AbortSignal,
): Promise<Attempt> {
  const { apiKey, timeoutMs, exchange } = destination;
  const { key, path, sequence, attempts } = record;
  const url = `${destination.url}${path}`;
  const headers = {
    ...senderHeaders(destination),
    'Idempotency-Key': key,
    // A first attempt needs no question to other servers.
    'Trackside-Attempt': String(attempts),
    ...(sequence === undefined ? {} : { 'Trackside-Sequence': sequence }),
  };
  const body = addOccurredAt(record.body, record.occurredAt);
  const request = async (inTime: AbortSignal) => {
    const answer = await exchange({ url, headers, body, maxAnswerBytes }, inTime);
    return readAnswer(answer, { now: clock.now(), apiKey });
  };
  return sendInTime({ timeoutMs, clock, signal }, request, (attempt) => attempt);
}
