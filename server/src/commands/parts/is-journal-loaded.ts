import { existsSync } from 'node:fs';
import { verifyBatches } from '../../loader/verify-batches.ts';
import { countWaitingBytes } from './has-waiting-records.ts';

/**
 * Returns whether the store has all records of the journal, which is the case after a server was stopped
 * cleanly. The ledger of a server that was killed may list a batch that never arrived, so the records are
 * looked up.
 */
export async function isJournalLoaded(options: Parameters<typeof verifyBatches>[0]): Promise<boolean> {
  const { folder } = options;
  if (!existsSync(folder)) return true;
  if ((await countWaitingBytes(folder)) > 0) return false;
  const report = await verifyBatches(options);
  return report === undefined || report.differences.every(({ missing }) => missing === 0);
}
