import type { TrackRecord } from '../record/record.ts';
import type { HandedOver } from '../sending/occurred-at.ts';

export type QueuedRecord = TrackRecord &
  HandedOver & {
    /** Its place in the line, given by the courier. */
    order: number;
    /**
     * When the server may have received the record without our knowing. By both clocks, because either can
     * stop or jump.
     */
    uncertainSince: { monotonicMs: number; now: number } | undefined;
    /** The time that it was last sent with, if it had waited. */
    occurredAt: number | undefined;
    /** Whether the server has refused its time, so that it is sent without. */
    isTimeRefused: boolean;
    attempts: number;
    /** Failed attempts since it was last put at the end of the line. */
    failures: number;
    /** Refusals by something in front of the server. */
    refusals: number;
    onSettled: (() => void) | undefined;
  };
