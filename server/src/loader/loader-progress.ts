import type { Clock } from '../time/clock.ts';

export type LoaderState = {
  loadedRows: number;
  insertedBatches: number;
  unverifiedBatches: number;
  lagMs: number;
  lastError: string | undefined;
  storeUuid: string | undefined;
  /** Bytes of the journal that are in no batch yet. */
  waitingBytes: number;
  /** Batches that have to be compared with the store, after a start, and with another store. */
  toCompareBatches: number;
  /** What of these the store does not have, and is loaded again. */
  toLoadAgain: { batches: number; records: number };
};

/** How far the loader is. Its parts write it down here, for whoever watches it. */
export class LoaderProgress {
  readonly #clock: Clock;
  loadedRows = 0;
  insertedBatches = 0;
  lastError: string | undefined;
  toCompareBatches: number;
  toLoadAgain = { batches: 0, records: 0 };
  /** When the oldest record of the batch that is being inserted was received. */
  oldestInFlightMs: number | undefined;
  /**
   * What waits was received after the later of these two: the last batch, and the last time that nothing
   * waited.
   */
  batchedUpToMs = 0;
  #nothingWaitedAtMs: number;

  constructor(clock: Clock, toCompareBatches: number) {
    this.#clock = clock;
    this.#nothingWaitedAtMs = clock.now();
    this.toCompareBatches = toCompareBatches;
  }

  noteNothingWaits(): void {
    this.#nothingWaitedAtMs = this.#clock.now();
  }

  /** At most the age of the oldest record that is not in the store yet. */
  lagMs(isWaiting: boolean): number {
    if (this.oldestInFlightMs === undefined && !isWaiting) return 0;
    const oldestMs = this.oldestInFlightMs ?? Math.max(this.batchedUpToMs, this.#nothingWaitedAtMs);
    return Math.max(0, this.#clock.now() - oldestMs);
  }
}
