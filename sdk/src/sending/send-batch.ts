import type { Clock } from '../time/clock.ts';
import { addOccurredAt } from './occurred-at.ts';
import { type BatchOutcome, readBatchAnswer } from './read-batch-answer.ts';
import { type Destination, senderHeaders, sendInTime } from './send-in-time.ts';
import type { AttemptedRecord } from './send-record.ts';

/** Enough for a long message about each record. */
const maxAnswerBytes = 2 ** 20;

/** Sends several records in one request. */
export function sendBatch(
  destination: Destination,
  records: readonly AttemptedRecord[],
  clock: Clock,
  signal?: AbortSignal,
): Promise<BatchOutcome> {
  const { url, apiKey, timeoutMs, exchange } = destination;
  const headers = {
    ...senderHeaders(destination),
    'Trackside-Attempt': String(Math.max(...records.map(({ attempts }) => attempts))),
  };
  const body = `{"Records":[${records.map(spellRecord).join(',')}]}`;
  const request = async (inTime: AbortSignal): Promise<BatchOutcome> => {
    const answer = await exchange({ url: `${url}/api/batch`, headers, body, maxAnswerBytes }, inTime);
    return readBatchAnswer(answer, { now: clock.now(), apiKey, records: records.length });
  };
  return sendInTime({ timeoutMs, clock, signal }, request, (attempt) => records.map(() => attempt));
}

/**
 * Adds the key and the number at the end. Without them, the bytes are those of a single request, so that a
 * repeat is one.
 */
function spellRecord({ body, key, sequence, occurredAt }: AttemptedRecord): string {
  const number = sequence === undefined ? '' : `,"Sequence":${JSON.stringify(sequence)}`;
  return `${addOccurredAt(body, occurredAt).slice(0, -1)},"IdempotencyKey":${JSON.stringify(key)}${number}}`;
}
