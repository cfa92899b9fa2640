import type { Journal } from '../journal/open-journal.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { BatchBody } from './batch-body.ts';
import type { Difference } from './compare-batches.ts';
import type { JournalRow } from './journal-row.ts';
import type { Batch } from './ledger-lines.ts';
import type { Ledger } from './open-ledger.ts';
import { type LoadedBatch, readBatch } from './read-batch.ts';

type Options = {
  journal: Pick<Journal, 'folder'>;
  ledger: Pick<Ledger, 'node'>;
  isWanted: IsWanted;
};

type Wanted = {
  columns: readonly string[];
  differences: readonly Difference[];
  isNeeded?: (row: JournalRow) => boolean;
  into: BatchBody;
};

/** The ledger knows where the batch ends, so no limit applies. */
const unlimited = { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/** Reads a batch of the ledger from the journal once more, but only the months that differ in the store. */
export function readAgain(
  { journal, ledger, isWanted }: Options,
  { batch, segment, from, to }: Batch,
  { differences, ...wanted }: Wanted,
): Promise<LoadedBatch> {
  const place = { folder: journal.folder, node: ledger.node, batch, segment, from, to };
  const onlyMonths = new Set(differences.map(({ month }) => month));
  return readBatch({ ...place, ...wanted, limits: unlimited, isWanted, onlyMonths });
}
