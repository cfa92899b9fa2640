import type { TrackRecord } from '../record/record.ts';

export type QueuedRecord = TrackRecord & {
  /** Its place in the line, given by the courier. */
  order: number;
  trackedMs: number;
  /**
   * When the server may have received the record without our knowing. By both clocks, because either can stop
   * or jump.
   */
  uncertainSince: { monotonicMs: number; now: number } | undefined;
  attempts: number;
  /** Failed attempts since it was last put at the end of the line. */
  failures: number;
  /** Refusals by something in front of the server. */
  refusals: number;
  onSettled: (() => void) | undefined;
};
