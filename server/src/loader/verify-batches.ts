import { setTimeout as delay } from 'node:timers/promises';
import type { IsWanted } from '../core/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import { compareBatches, type Difference } from './compare-batches.ts';
import { createExplainer } from './explain-differences.ts';
import { rowsOf } from './ledger-state.ts';
import { readLedger } from './open-ledger.ts';

export type VerifyReport = {
  node: string;
  storeUuid: string;
  /** False: the store is not the one that the ledger speaks of. The server loads the journal into it when it starts. */
  isSameStore: boolean;
  batches: number;
  rows: number;
  differences: { batch: number; month: string; expected: number; found: number }[];
  /** Rows whose journal is gone: they can no longer be compared. */
  forgottenRows: number;
};

const patienceMs = 5000;

/**
 * Holds the store against the journal's ledger without changing anything. Beside a running server a batch can be under
 * way, so a difference counts only when it stays.
 */
export async function verifyBatches(options: {
  folder: string;
  store: Pick<Store, 'countBatches' | 'uuid'>;
  /** Rows that are not, and are not there, are no difference. */
  isWanted: IsWanted;
}): Promise<VerifyReport | undefined> {
  const { folder, store, isWanted } = options;
  const storeUuid = await store.uuid();
  const deadline = performance.now() + patienceMs;
  let remaining: ReturnType<typeof createExplainer> | undefined;
  let differences: Difference[] = [];
  for (let looks = 1; ; looks += 1) {
    const ledger = await readLedger(folder);
    if (ledger === undefined) return undefined;
    const batches = [...ledger.batches.values()];
    const { different } = await compareBatches(store, ledger.node, batches);
    remaining ??= createExplainer({ folder, node: ledger.node, isWanted });
    differences = await remaining(different);
    if (differences.length === 0 || (looks > 1 && performance.now() > deadline)) {
      return {
        node: ledger.node,
        storeUuid,
        isSameStore: ledger.storeUuid === storeUuid,
        batches: batches.length,
        rows: batches.reduce((sum, batch) => sum + rowsOf(batch), 0),
        differences: differences.map(({ batch, month, expected, found }) => ({
          batch: batch.batch,
          month,
          expected,
          found,
        })),
        forgottenRows: ledger.forgotten.rows,
      };
    }
    await delay(250);
  }
}
