import { existsSync } from 'node:fs';
import { dataFolder } from '../../files/data-folder.ts';
import { readSegments } from '../../journal/read-segments.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import { bytesBehind } from '../../loader/read-batch.ts';

/** Whether all records in the journal were loaded. They are after a server has stopped as it should. */
export async function isJournalLoaded(dataDir: string): Promise<boolean> {
  const folder = dataFolder(dataDir);
  if (!existsSync(folder.journal)) return true;
  const segments = await readSegments(folder.journal);
  const ledger = await readLedger(folder.journal);
  return bytesBehind(segments, ledger?.batchedTo ?? { segment: 0, offset: 0 }) === 0;
}
