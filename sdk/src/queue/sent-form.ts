import { findOccurredAt } from '../sending/occurred-at.ts';
import type { Clock } from '../time/clock.ts';
import type { QueuedRecord } from './queued-record.ts';

/**
 * How a record was last sent. The server refuses another body with the same key, so while it may have the
 * record, each repeat has the same form, byte for byte. A record's number is a header if it is sent alone, and
 * a part of its bytes in a batch.
 */
export type SentForm = {
  /** The time that was sent with the record, if it had waited. */
  occurredAt: number | undefined;
  isInBatch: boolean;
};

/** Chooses the form of the next attempt, unless it has to be that of the last one. */
export function chooseForm(record: QueuedRecord, { isInBatch, clock }: { isInBatch: boolean; clock: Clock }) {
  if (record.uncertainSince !== undefined) return;
  record.occurredAt = record.isTimeRefused ? undefined : findOccurredAt(record, clock);
  record.isInBatch = isInBatch;
}

export const mustBeAlone = (record: QueuedRecord) => isFormFixed(record) && !record.isInBatch;
export const mustBeInBatch = (record: QueuedRecord) => isFormFixed(record) && record.isInBatch;

const isFormFixed = ({ uncertainSince, sequence }: QueuedRecord) =>
  uncertainSince !== undefined && sequence !== undefined;
