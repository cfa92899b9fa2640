import type { Attempt, Result } from '../faults/result.ts';
import type { TrackFault, TrackFaultKind } from '../faults/track-fault.ts';
import type { QueuedRecord } from './queued-record.ts';

/**
 * What an attempt means for the record (its end, or a fault after which it is kept) and for the records after
 * it.
 */
export type Verdict = ({ end: RecordEnd; fault?: never } | { end?: never; fault: TrackFault }) & {
  isServerThere: boolean;
  waitAtLeastMs: number;
};

export type RecordEnd = { kind: 'accepted' } | { kind: 'refused' | 'dropped'; fault: TrackFault };

const unauthorizedWaitMs = 60_000;
const maxRefusals = 6;

export function judgeAttempt({ result }: Attempt, record: QueuedRecord): Verdict {
  const answered = { isServerThere: true, waitAtLeastMs: 0 };
  switch (result.kind) {
    case 'accepted':
      return { ...answered, end: { kind: 'accepted' } };
    case 'malformed':
      if (isTimeInQuestion(record)) {
        record.isTimeRefused = true;
        return { ...answered, fault: timeFault(result.message) };
      }
      return { ...answered, end: { kind: 'refused', fault: makeFault('malformed', result) } };
    case 'contingent-used-up':
      return { ...answered, end: { kind: 'refused', fault: makeFault(result.kind, result) } };
    case 'unauthorized':
      // Kept, because the key can be corrected, and a restart with a disk queue sends what was tracked
      // before.
      return {
        fault: makeFault('unauthorized', result),
        isServerThere: false,
        waitAtLeastMs: unauthorizedWaitMs,
      };
    case 'unavailable': {
      const away = { isServerThere: false, waitAtLeastMs: result.retryAfterMs ?? 0 };
      if (isRefusedOnTheWay(result.code)) record.refusals += 1;
      // A firewall can reject one page URL forever, and must not hold the record forever.
      if (record.refusals < maxRefusals) return { ...away, fault: makeFault('unavailable', result) };
      return { ...away, end: { kind: 'dropped', fault: makeFault('refused-on-the-way', result) } };
    }
  }
}

/**
 * The record was valid when it was handed over, so its time is the likely reason. It may be sent without, unless
 * the server may have it with its time.
 */
const isTimeInQuestion = ({ occurredAt, uncertainSince }: QueuedRecord) =>
  occurredAt !== undefined && uncertainSince === undefined;

function timeFault(refusal: string): TrackFault {
  const message =
    `Expected Trackside to accept the time at which the record was tracked, got a refusal (${refusal}): ` +
    "check this machine's clock. The record is sent without the time, so it counts when it arrives.";
  return { kind: 'time-refused', message, records: 1 };
}

/** Returns whether something other than Trackside refused this request. 404 and 405 are about the URL. */
function isRefusedOnTheWay(code: number): boolean {
  return code >= 400 && code < 500 && ![404, 405, 408, 425, 429].includes(code);
}

function makeFault(kind: TrackFaultKind, result: Result): TrackFault {
  const cause = result.kind === 'unavailable' && result.cause !== undefined ? { cause: result.cause } : {};
  return { kind, message: result.message, records: 1, ...cause };
}
