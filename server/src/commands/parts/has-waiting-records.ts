import { existsSync } from 'node:fs';
import { listWorkerFolders } from '../../files/worker-folders.ts';
import { readSegments } from '../../journal/read-segments.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import { bytesBehind } from '../../loader/read-batch.ts';

/** Returns whether a journal has records that no server has begun to load. */
export async function hasWaitingRecords(dataDir: string): Promise<boolean> {
  for (const { journal } of await listWorkerFolders(dataDir))
    if (existsSync(journal) && (await countWaitingBytes(journal)) > 0) return true;
  return false;
}

export async function countWaitingBytes(journal: string): Promise<number> {
  const ledger = await readLedger(journal);
  return bytesBehind(await readSegments(journal), ledger?.batchedTo ?? { segment: 0, offset: 0 });
}
