import type { TrackFault } from '../faults/track-fault.ts';
import type { TrackRecord } from '../record/record.ts';

/**
 * A second home of the queue's records, which outlives the process. Nothing in it throws, and no call waits.
 */
export type DiskKeep = {
  /** Called once, before anything else. */
  open(tell: (fault: TrackFault) => void): void;
  /**
   * Takes over what ended processes have left, about `maxRecords` of it, and shows others that this one
   * lives.
   */
  claim(maxRecords: number): Promise<KeptRecord[]>;
  add(record: TrackRecord, trackedAt: number): void;
  /** The record is about to be sent: from now on the server may know it. */
  noteTry(key: string, at: number): void;
  /** That attempt has surely not reached the server. */
  noteUntried(key: string): void;
  /** Accepted, refused or given up: never to be sent again. */
  noteDone(key: string): void;
  /** Whether a record is safe here. */
  has(key: string): boolean;
  /** Resolves when all that was noted is written, or cannot be. */
  written(): Promise<void>;
  /** Leaves the rest to whoever claims it. */
  close(): Promise<void>;
};

/** Times by the wall clock: nothing else means the same to the next process. */
export type KeptRecord = TrackRecord & { trackedAt: number; triedAt: number | undefined };
