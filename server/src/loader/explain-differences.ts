import type { IsWanted } from '../core/wanted-row.ts';
import { readSegmentHeader } from '../journal/segment-file.ts';
import { BatchBody } from './batch-body.ts';
import type { Difference } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';
import { readBatch } from './read-batch.ts';

const unlimited = { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

/** Tells which differences are none: the store lacks just the rows that are not wanted any more. Reads the journal. */
export function createExplainer(options: { folder: string; node: string; isWanted: IsWanted }) {
  const { folder, node, isWanted } = options;
  const into = new BatchBody();
  const wanted = new Map<string, number>();

  async function count(batch: Batch): Promise<void> {
    const segment = await readSegmentHeader(folder, batch.segment).catch((error: NodeJS.ErrnoException) => {
      // Removed since the ledger was read, with all of its batches.
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (segment?.kind !== 'readable') return;
    const { entry } = await readBatch({
      ...{ folder, node, batch: batch.batch, columns: segment.header.columns, segment: batch.segment },
      ...{ from: batch.from, to: batch.to, limits: unlimited, isWanted, into },
    });
    for (const month of Object.keys(batch.months))
      wanted.set(`${batch.batch} ${month}`, entry.months[month] ?? 0);
  }

  /** Those that remain. */
  return async (differences: readonly Difference[]): Promise<Difference[]> => {
    const remaining: Difference[] = [];
    for (const difference of differences) {
      const key = `${difference.batch.batch} ${difference.month}`;
      if (!wanted.has(key)) await count(difference.batch);
      if (wanted.get(key) !== difference.found) remaining.push(difference);
    }
    return remaining;
  };
}
