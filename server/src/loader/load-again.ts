import type { DamageLog } from '../damage/damage-log.ts';
import { segmentVanished } from '../journal/journal-damage.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Log } from '../log.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { BatchInserter } from './batch-inserter.ts';
import type { Difference } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';
import { loadReadable } from './load-readable.ts';
import type { LoadedStore } from './loader-options.ts';
import type { Ledger } from './open-ledger.ts';
import { readAgain } from './read-again.ts';

type Options = {
  journal: Pick<Journal, 'folder' | 'segments'>;
  ledger: Ledger;
  store: Pick<LoadedStore, 'listKeys' | 'deleteBatches'>;
  inserter: BatchInserter;
  damage: Pick<DamageLog, 'report'>;
  isWanted: IsWanted;
  log: Log;
};

/** Replaces the partitions of a batch that differ. True if they only lack rows that are no longer wanted. */
export async function loadAgain(options: Options, batch: Batch, differences: Difference[]): Promise<boolean> {
  const { journal, ledger, store, inserter, damage, log } = options;
  const segment = journal.segments().find(({ number }) => number === batch.segment);
  if (segment === undefined) {
    // The rows in the store are all that is left of this batch.
    log.error({ batch: batch.batch }, 'a batch is incomplete in the store, and its segment is gone');
    await damage.report(segmentVanished(batch.segment));
    return true;
  }
  const { columns } = segment;
  const { body, rows, entry, leftOut, damagedBytes } = await readAgain(options, batch, {
    columns,
    differences,
    into: inserter.body,
  });
  const readOf = (month: string) => entry.months[month] ?? 0;
  const isDamaged = damagedBytes > 0 || entry.to < batch.to;
  // Rows that the journal can no longer read are not the same as rows that are no longer wanted.
  const hasUnreadable = ({ month, expected, found }: Difference) =>
    readOf(month) + (leftOut[month] ?? 0) < expected ||
    // In the counts, rows that were never wanted can make up for them. Rows beyond the expected are duplicates.
    (isDamaged && found > 0 && found <= expected);
  if (differences.some(hasUnreadable)) {
    await loadReadable(options, batch, differences);
    return false;
  }
  if (differences.every(({ month, found }) => readOf(month) === found)) return true;
  for (const { month, expected, found } of differences) {
    log.warn(
      { batch: batch.batch, month, expected, found },
      'a batch is incomplete in the store: loading it again',
    );
    if (found > 0)
      await store.deleteBatches({ node: ledger.node, batches: [batch.batch], month: Number(month) });
  }
  const areOthers = differences.some(({ found }) => found > 0);
  if (rows > 0) await inserter.insert(batch.batch, columns, body, rows, { areOthers });
  return false;
}
