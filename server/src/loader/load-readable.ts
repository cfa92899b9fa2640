import type { DamageLog } from '../damage/damage-log.ts';
import type { Journal } from '../journal/open-journal.ts';
import { recordKey } from '../records/record-key.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import { BatchBody } from './batch-body.ts';
import type { BatchInserter } from './batch-inserter.ts';
import type { Difference } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';
import type { Ledger } from './open-ledger.ts';
import { readAgain } from './read-again.ts';
import { rangeOf, readRows } from './read-rows.ts';

type Options = {
  journal: Pick<Journal, 'folder' | 'segments'>;
  ledger: Ledger;
  store: Pick<Store, 'listKeys'>;
  damage: Pick<DamageLog, 'report'>;
  isWanted: IsWanted;
  inserter: Pick<BatchInserter, 'insert'>;
};

/**
 * Loads a batch again when part of it can no longer be read in the journal. The store may have the only copy,
 * so nothing is deleted. Only the missing rows are inserted, and from then on the ledger expects the rows
 * that are there.
 */
export async function loadReadable(options: Options, batch: Batch, differences: Difference[]): Promise<void> {
  const { journal, ledger, store, inserter, damage, isWanted } = options;
  const { folder } = journal;
  const { columns } = journal.segments().find(({ number }) => number === batch.segment)!;
  const place = { number: batch.segment, columns, firstFrame: batch.from, end: batch.to };
  const { rows: readable } = await readRows(folder, place, isWanted);
  const stored = new Map<number, number>();
  for (const { key, node, rows, ...of } of readable.length === 0
    ? []
    : await store.listKeys(rangeOf(readable)))
    if (node === ledger.node && of.batch === batch.batch) stored.set(key, rows);
  const { body, rows, entry, leftOut } = await readAgain(options, batch, {
    columns,
    differences,
    into: new BatchBody(),
    isNeeded: (row) => {
      const key = recordKey(row);
      const left = stored.get(key) ?? 0;
      if (left > 0) stored.set(key, left - 1);
      return left === 0;
    },
  });
  if (rows > 0) await inserter.insert(batch.batch, columns, body, rows, { areOthers: true });
  const months = { ...batch.months };
  let lost = 0;
  for (const { month, expected, found } of differences) {
    months[month] = found + (entry.months[month] ?? 0);
    lost += Math.max(0, expected - months[month] - (leftOut[month] ?? 0));
  }
  if (lost > 0) {
    const around = batch.lastReceivedAt || 'an unknown time';
    const id = `journal-frames-${batch.segment}-batch-${batch.batch}`;
    await damage.report({
      id,
      kind: 'journal-frames' as const,
      says:
        `${lost.toLocaleString('en-US')} ${lost === 1 ? 'record' : 'records'} received around ` +
        `${around} UTC ${lost === 1 ? 'is' : 'are'} lost: missing from the store, ` +
        `and part of journal segment ${batch.segment} can't be read`,
      todo: `restore a backup of the store, or accept it with trackside doctor --forget ${id}`,
    });
  }
  await ledger.recountBatch({ ...batch, months });
}
