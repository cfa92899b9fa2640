import type { TrackRecord } from '../record/record.ts';
import type { HandedOver } from '../sending/occurred-at.ts';

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

export type QueuedRecord = TrackRecord &
  HandedOver &
  SentForm & {
    /** Its place in the line, given by the courier. */
    order: number;
    /**
     * When the server may have received the record without our knowing. By both clocks, because either can
     * stop or jump.
     */
    uncertainSince: { monotonicMs: number; now: number } | undefined;
    /** Whether the server has refused its time, so that it is sent without. */
    isTimeRefused: boolean;
    attempts: number;
    /** Failed attempts since it was last put at the end of the line. */
    failures: number;
    /** Refusals by something in front of the server. */
    refusals: number;
    onSettled: (() => void) | undefined;
  };
