import { type Comparison, compareBatches, type Difference } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';
import { rowsOf } from './ledger-state.ts';
import type { LoadedStore } from './loader-options.ts';
import type { LoaderProgress } from './loader-progress.ts';
import type { Ledger } from './open-ledger.ts';

type Options = {
  ledger: Ledger;
  store: Pick<LoadedStore, 'countBatches'>;
  progress: LoaderProgress;
  /** Returns true if the difference is intended. */
  loadAgain: (batch: Batch, differences: Difference[]) => Promise<boolean>;
};

const mostRounds = 5;

/**
 * Counts the batches and loads the different ones again, until none differs. `counted` is the first count, if
 * there is one.
 */
export async function reconcileBatches(
  { ledger, store, progress, loadAgain }: Options,
  suspects: Batch[],
  counted?: Comparison,
): Promise<void> {
  let remaining = suspects;
  let known = counted;
  progress.toCompareBatches = suspects.length;
  for (let round = 0; remaining.length > 0; round += 1) {
    // The previous round may have changed what is expected of a batch.
    remaining = remaining.map((batch) => ledger.state.batches.get(batch.batch) ?? batch);
    if (round === mostRounds)
      throw new Error(`batch ${remaining[0]!.batch} still differs after ${round} attempts`);
    const { same, different } = known ?? (await compareBatches(store, ledger.node, remaining));
    known = undefined;
    await ledger.markVerified(same.map(({ batch }) => batch));
    remaining = [...new Set(different.map(({ batch }) => batch))];
    progress.lastError = undefined;
    progress.toCompareBatches = remaining.length;
    progress.toLoadAgain = { batches: remaining.length, records: sumOfRows(remaining) };
    for (const batch of remaining) {
      ledger.unmarkVerified(batch.batch);
      const ofBatch = different.filter((difference) => difference.batch === batch);
      const isSame = await loadAgain(batch, ofBatch);
      const { batches, records } = progress.toLoadAgain;
      progress.toLoadAgain = { batches: batches - 1, records: records - rowsOf(batch) };
      if (!isSame) continue;
      remaining = remaining.filter((other) => other !== batch);
      await ledger.markVerified([batch.batch]);
    }
  }
  progress.toCompareBatches = 0;
  progress.toLoadAgain = { batches: 0, records: 0 };
}

function sumOfRows(batches: readonly Batch[]): number {
  return batches.reduce((sum, batch) => sum + rowsOf(batch), 0);
}
