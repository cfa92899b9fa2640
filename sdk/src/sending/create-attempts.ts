import type { Attempt } from '../faults/result.ts';
import type { TrackRecord } from '../record/record.ts';
import type { Clock } from '../time/clock.ts';
import { findOccurredAt, noteHandOver } from './occurred-at.ts';
import type { Destination } from './send-in-time.ts';
import { sendRecord } from './send-record.ts';

/** Returns a function that sends the record, which was handed over now, each time that it is called. */
export function createAttempts(
  destination: Destination,
  record: TrackRecord,
  clock: Clock,
): () => Promise<Attempt> {
  const handedOver = noteHandOver(clock);
  let attempts = 0;
  let occurredAt: number | undefined;
  let isUncertain = false;
  const send = async () => {
    attempts += 1;
    const attempt = await sendRecord(destination, { ...record, attempts, occurredAt }, clock);
    isUncertain ||= attempt.isUncertain;
    return attempt;
  };
  return async () => {
    // The server refuses another body with the same key, so what it may have stays as it was.
    if (!isUncertain) occurredAt = findOccurredAt(handedOver, clock);
    const attempt = await send();
    if (attempt.result.kind !== 'malformed' || occurredAt === undefined || isUncertain) return attempt;
    // If a clock is wrong, the record is not lost, but counts when it arrives.
    occurredAt = undefined;
    return await send();
  };
}
