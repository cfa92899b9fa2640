import type { TrackRecord } from '../record/record.ts';

export type QueuedRecord = TrackRecord & {
  /** Its place in the line, given by the courier. */
  order: number;
  trackedMs: number;
  /**
   * Since when the server may know it without our knowing; by both clocks, as either can stand still or jump.
   */
  uncertainSince: { monotonicMs: number; now: number } | undefined;
  attempts: number;
  /** Failed attempts since it was last at the end of the line. */
  failures: number;
  /** Answers of something in front of the server that would have none of it. */
  refusals: number;
  onSettled: (() => void) | undefined;
};
