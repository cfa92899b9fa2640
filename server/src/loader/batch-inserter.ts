import { ClickHouseError } from '@clickhouse/client';
import type { Clock } from '../time/clock.ts';
import { BatchBody } from './batch-body.ts';
import type { LoadedStore, LoaderEngine } from './loader-options.ts';
import type { LoaderProgress } from './loader-progress.ts';

type Options = {
  node: string;
  store: Pick<LoadedStore, 'insertBatch'>;
  engine: LoaderEngine;
  progress: LoaderProgress;
  clock: Clock;
  /**
   * Called when an INSERT has failed, before the engine is restarted. The rows in the store must be counted
   * again.
   */
  onFailure: () => void;
};

/**
 * Runs one INSERT after the other, and makes sure that an INSERT with an unknown outcome doesn't continue.
 */
export class BatchInserter {
  readonly #options: Options;
  #body = new BatchBody();
  /** The last batch whose rows this process has brought in. */
  #lastInserted = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The memory for the text of the next INSERT. */
  get body(): BatchBody {
    return this.#body;
  }

  /**
   * A cluster recognizes an INSERT of unknown outcome when it is repeated, even if the replica that counted
   * the rows didn't have them yet. `areOthers` says that the rows aren't all of those that were sent before,
   * or that these were deleted since: then it must not be taken for a repetition.
   */
  async insert(
    batch: number,
    columns: readonly string[],
    body: Buffer,
    rows: number,
    { areOthers = false } = {},
  ): Promise<void> {
    const { node, store, engine, progress, clock, onFailure } = this.#options;
    const generation = engine.generation();
    try {
      const queryId = `${node}-${batch}-${clock.now().toString(36)}`;
      // Rows that were brought in and are missing all the same have been removed since.
      const token = areOthers || batch <= this.#lastInserted ? queryId : `${node}-${batch}`;
      await store.insertBatch({ columns: ['node', 'batch', ...columns], body, rows, queryId, token });
      this.#lastInserted = Math.max(this.#lastInserted, batch);
      progress.lastError = undefined;
      progress.insertedBatches += 1;
      progress.loadedRows += rows;
    } catch (error) {
      onFailure();
      // The connection may still be using the old one.
      this.#body = new BatchBody();
      // An answer from our own engine means that the INSERT has ended. After any other error, that is unknown.
      const isUnknown = !(error instanceof ClickHouseError);
      const isSame = engine.isReady() && engine.generation() === generation;
      if (engine.isOutside || (isUnknown && isSame)) {
        await engine.restart(`the outcome of batch ${batch} is unknown`);
      }
      throw error;
    }
  }
}
