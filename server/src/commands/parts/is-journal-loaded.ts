import { existsSync } from 'node:fs';
import { readSegments } from '../../journal/read-segments.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import { bytesBehind } from '../../loader/read-batch.ts';
import { verifyBatches } from '../../loader/verify-batches.ts';

/**
 * Returns whether the store has all records of the journal, which is the case after a server was stopped
 * cleanly. The ledger of a server that was killed may list a batch that never arrived, so the records are
 * looked up.
 */
export async function isJournalLoaded(options: Parameters<typeof verifyBatches>[0]): Promise<boolean> {
  const { folder } = options;
  if (!existsSync(folder)) return true;
  const ledger = await readLedger(folder);
  if (bytesBehind(await readSegments(folder), ledger?.batchedTo ?? { segment: 0, offset: 0 }) > 0)
    return false;
  const report = await verifyBatches(options);
  return report === undefined || report.differences.every(({ missing }) => missing === 0);
}
