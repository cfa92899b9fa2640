/** What the tests of the ledger share: batches, segments, and the state that outlives a process. */
import { writeFile } from 'node:fs/promises';
import { segmentPath } from '../journal/segment-file.ts';
import type { Batch } from './ledger-lines.ts';
import type { LedgerState } from './ledger-state.ts';
import { openLedger } from './open-ledger.ts';

export function batchOf(
  batch: number,
  segment: number,
  months: Record<string, number> = { '202603': batch },
): Batch {
  const at = new Date(Date.UTC(2026, 2, 10) + batch * 1000).toISOString().slice(0, 23).replace('T', ' ');
  return {
    batch,
    segment,
    from: batch * 100,
    to: batch * 100 + 100,
    months,
    firstReceivedAt: at,
    lastReceivedAt: at,
  };
}

export async function makeSegments(folder: string, count: number): Promise<void> {
  for (let segment = 1; segment <= count; segment += 1) await writeFile(segmentPath(folder, segment), '');
}

/**
 * The state that has to outlive the process. If there are no batches, the next one begins at the first
 * segment that is left.
 */
export function lasting(state: Readonly<LedgerState>) {
  const { node, storeUuid, onlyInStore, batches, verified, forgotten, lastBatch, batchedTo } = state;
  return {
    node,
    storeUuid,
    onlyInStore,
    forgotten,
    lastBatch,
    batches: [...batches],
    verified: [...verified].sort((a, b) => a - b),
    batchedTo: batches.size === 0 ? undefined : batchedTo,
  };
}

export async function reopen(folder: string) {
  const ledger = await openLedger({ folder });
  await ledger.close();
  return ledger.state;
}
