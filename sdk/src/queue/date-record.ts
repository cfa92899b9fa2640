import { findOccurredAt } from '../sending/occurred-at.ts';
import type { Clock } from '../time/clock.ts';
import type { QueuedRecord } from './queued-record.ts';

/**
 * Chooses the time that the record is sent with now. The server refuses another body with the same key, so what
 * it may have is repeated byte for byte.
 */
export function dateRecord(record: QueuedRecord, clock: Clock): void {
  if (record.uncertainSince !== undefined) return;
  record.occurredAt = record.isTimeRefused ? undefined : findOccurredAt(record, clock);
}
