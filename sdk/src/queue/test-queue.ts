import { createFaultTeller } from '../faults/fault-teller.ts';
import type { Attempt, Result } from '../faults/result.ts';
import type { TrackFault } from '../faults/track-fault.ts';
import type { AttemptedRecord } from '../sending/send-record.ts';
import { createTestClock } from '../time/test-clock.ts';
import { RecordQueue, type RecordQueueOptions } from './record-queue.ts';

export const accepted = toAttempt({ kind: 'accepted', code: 200, message: 'Success' });
export const malformed = toAttempt({ kind: 'malformed', code: 400, message: 'No' });
export const unauthorized = toAttempt({ kind: 'unauthorized', code: 401, message: 'No' });
export const usedUp = toAttempt({ kind: 'contingent-used-up', code: 429, message: 'No', retryAfterMs: 1000 });
/** A 503 from Trackside. */
export const busy = toAttempt({ kind: 'unavailable', code: 503, message: 'Later' }, { isTransient: true });
export const unreached = toAttempt({ kind: 'unavailable', code: 0, message: 'No' }, { isTransient: true });
export const unanswered = toAttempt(
  { kind: 'unavailable', code: 0, message: 'No' },
  { isTransient: true, isUncertain: true },
);
export const forbidden = toAttempt({ kind: 'unavailable', code: 403, message: 'No' });
export const never = new Promise<Attempt>(() => {});

export function toAttempt(result: Result, rest: Partial<Attempt> = {}): Attempt {
  return { result, isTransient: false, isUncertain: false, ...rest };
}

export type SentRecord = Pick<AttemptedRecord, 'body' | 'key' | 'sequence' | 'occurredAt'> & {
  atMs: number;
};

/** Starts a queue with its own clock, and with a function instead of a server. */
export function startQueue(options: Partial<RecordQueueOptions> & { random?: number } = {}) {
  const clock = createTestClock({ random: options.random ?? 1 });
  const faults: TrackFault[] = [];
  const sent: SentRecord[] = [];
  const signals: AbortSignal[] = [];
  const batches: number[] = [];
  const counts = { accepted: 0, refused: 0, dropped: 0, retried: 0 };
  const startMs = clock.monotonicMs();
  let answer: (record: AttemptedRecord) => Attempt | Promise<Attempt> = () => accepted;
  let made = 0;
  let takesBatches = false;
  const send = async (record: AttemptedRecord, signal: AbortSignal) => {
    signals.push(signal);
    const { body, key, sequence, occurredAt } = record;
    sent.push({ body, key, sequence, occurredAt, atMs: clock.monotonicMs() - startMs });
    return await answer(record);
  };
  const queue = new RecordQueue({
    clock,
    counts,
    timeoutMs: 10_000,
    maxRecords: 10_000,
    maxBytes: 2 ** 20,
    maxAgeMs: 24 * 3_600_000,
    concurrency: 1,
    disk: undefined,
    teller: createFaultTeller((fault) => faults.push(fault), clock),
    ...options,
    send,
    sendBatch: async (records, signal) => {
      batches.push(records.length);
      return takesBatches ? await Promise.all(records.map((record) => send(record, signal))) : 'one-by-one';
    },
  });

  return {
    queue,
    clock,
    faults,
    sent,
    signals,
    counts,
    /** How many records each batch had that was tried. */
    batches,
    takeBatches: () => {
      takesBatches = true;
    },
    bodies: () => sent.map(({ body }) => body),
    kinds: () => faults.map(({ kind }) => kind),
    answerWith: (next: typeof answer) => {
      answer = next;
    },
    push: (body: string, onSettled?: () => void) => {
      made += 1;
      const sequence = `stream.${made}`;
      queue.push({ key: `key-${made}`, path: '/api/page-view', body, sequence }, onSettled);
    },
  };
}
