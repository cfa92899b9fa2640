import { findOccurredAt } from '../sending/occurred-at.ts';
import type { Clock } from '../time/clock.ts';
import type { QueuedRecord } from './queued-record.ts';

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
