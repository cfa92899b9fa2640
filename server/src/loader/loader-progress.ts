import type { Clock } from '../time/clock.ts';

export type LoaderState = {
  loadedRows: number;
  insertedBatches: number;
  unverifiedBatches: number;
  lagMs: number;
  lastError: string | undefined;
  storeUuid: string | undefined;
  /** The bytes of the journal that aren't in a batch yet. */
  waitingBytes: number;
  /**
   * The batches that still have to be compared with the store after a start, or after the store was replaced.
   */
  toCompareBatches: number;
  /** The batches that the store lacks and that are loaded again. */
  toLoadAgain: { batches: number; records: number };
};

/** The progress of the loader. The loader's parts write it here, for health and metrics. */
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
   * Waiting records were received after the later of two times: that of the last batch, and the last time
   * that nothing was waiting.
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

  /** An upper bound for the age of the oldest record that isn't in the store yet. */
  lagMs(isWaiting: boolean): number {
    if (this.oldestInFlightMs === undefined && !isWaiting) return 0;
    const oldestMs = this.oldestInFlightMs ?? Math.max(this.batchedUpToMs, this.#nothingWaitedAtMs);
    return Math.max(0, this.#clock.now() - oldestMs);
  }
}
