import type { Clock } from '../time/clock.ts';
import { type BatchOutcome, readBatchAnswer } from './read-batch-answer.ts';
import { type Destination, sendInTime } from './send-in-time.ts';
import type { AttemptedRecord } from './send-record.ts';

/** Enough for a long message about each record. */
const maxAnswerBytes = 2 ** 20;

/** Sends several records in one request. */
export function sendBatch(
  { url, apiKey, timeoutMs, exchange }: Destination,
  records: readonly AttemptedRecord[],
  clock: Clock,
  signal?: AbortSignal,
): Promise<BatchOutcome> {
  const headers = {
    Authorization: apiKey,
    'Content-Type': 'application/json',
    'Trackside-Attempt': String(Math.max(...records.map(({ attempts }) => attempts))),
  };
  const body = `{"Records":[${records.map(withKey).join(',')}]}`;
  const request = async (inTime: AbortSignal): Promise<BatchOutcome> => {
    const answer = await exchange({ url: `${url}/api/batch`, headers, body, maxAnswerBytes }, inTime);
    return readBatchAnswer(answer, { now: clock.now(), apiKey, records: records.length });
  };
  return sendInTime({ timeoutMs, clock, signal }, request, (attempt) => records.map(() => attempt));
}

/** Adds the key at the end. Without it, the bytes are those of a single request, so that a repeat is one. */
function withKey({ body, key }: AttemptedRecord): string {
  return `${body.slice(0, -1)},"IdempotencyKey":${JSON.stringify(key)}}`;
}
