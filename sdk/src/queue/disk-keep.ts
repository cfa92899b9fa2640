import type { TrackFault } from '../faults/track-fault.ts';
import type { TrackRecord } from '../record/record.ts';

/** A second place for the queue's records, which outlives the process. It never throws and never blocks. */
export type DiskKeep = {
  /** Called once, before anything else. */
  open(tell: (fault: TrackFault) => void): void;
  /**
   * Takes over records that ended processes have left, about `maxRecords` of them, and shows others that this
   * process is alive.
   */
  claim(maxRecords: number): Promise<KeptRecord[]>;
  add(record: TrackRecord, trackedAt: number): void;
  /** Notes that the record is about to be sent with this time, so the server may know it from now on. */
  noteTry(key: string, at: number, occurredAt: number | undefined): void;
  /** Notes that the attempt certainly did not reach the server. */
  noteUntried(key: string): void;
  /** Notes that the record was accepted, refused or given up, and must not be sent again. */
  noteDone(key: string): void;
  /** Returns whether a record is safe here. */
  has(key: string): boolean;
  /** Resolves when everything that was noted is written, or cannot be. */
  written(): Promise<void>;
  /** Leaves the rest to the next process that claims it. */
  close(): Promise<void>;
};

/** Times are from the wall clock, because no other clock means the same to the next process. */
export type KeptRecord = TrackRecord & { trackedAt: number; tried: KeptAttempt | undefined };

/** An attempt whose outcome is unknown. */
export type KeptAttempt = { at: number; occurredAt: number | undefined };
