import { listWorkerFolders } from '../files/worker-folders.ts';
import type { LedgerState } from './ledger-state.ts';
import { readLedger } from './open-ledger.ts';

/** Reads what all workers of a data folder, or some of them, have brought into the store. */
export async function readLedgers(
  dataDir: string,
  isMeant: (worker: { worker: number }) => boolean = () => true,
): Promise<LedgerState[]> {
  const folders = (await listWorkerFolders(dataDir)).filter(isMeant);
  const ledgers = await Promise.all(folders.map(({ journal }) => readLedger(journal)));
  return ledgers.filter((ledger) => ledger !== undefined);
}
