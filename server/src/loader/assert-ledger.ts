import assert from 'node:assert';
import { isBefore } from '../records/journal-position.ts';
import type { Batch } from './ledger-lines.ts';
import type { LedgerState } from './ledger-state.ts';

/** Called before a batch is written down: a batch that is wrongly added here is loaded twice or never. */
export function assertMayAdd(state: LedgerState, batch: Batch): void {
  const { segment, from, to } = batch;
  assert(from <= to, `Batch ${batch.batch} must not end before it begins.`);
  assert(
    batch.batch > state.lastBatch,
    `Batch ${batch.batch} must have a new number, above ${state.lastBatch}: the store counts rows by it.`,
  );
  assert(
    !isBefore({ segment, offset: from }, state.batchedTo),
    `Batch ${batch.batch} must begin after the last one: records in both would be loaded twice.`,
  );
}

/** Called before new counts of a batch are written down. */
export function assertMayRecount(state: LedgerState, batch: Batch): void {
  const { segment, from, to } = batch;
  const known = state.batches.get(batch.batch);
  assert(
    known?.segment === segment && known.from === from && known.to === to,
    `Batch ${batch.batch} must keep its place in the journal when its counts are rewritten.`,
  );
}

/** Called after a line was applied. Only replacing all batches may go back, and that doesn't call this. */
export function assertAdvanced(
  state: LedgerState,
  before: Pick<LedgerState, 'batchedTo' | 'lastBatch'>,
): void {
  assert(
    !isBefore(state.batchedTo, before.batchedTo),
    'The place up to which records are batched must not go back, or they would be loaded again.',
  );
  assert(
    state.lastBatch >= before.lastBatch,
    'The number of the last batch must not go back: the next one would be mistaken for an older one.',
  );
  assert(
    state.verified.size <= state.batches.size,
    'Only a batch in the ledger can be verified: verified records may be removed from the journal.',
  );
}

/**
 * Called for batches that replace all others. They must be in the order of the journal, without overlaps, and
 * each number must be there once.
 */
export function assertBatchesInOrder(batches: readonly Batch[]): void {
  const numbers = new Set(batches.map(({ batch }) => batch));
  assert.equal(numbers.size, batches.length, 'Each batch must be in the ledger once.');
  for (const [index, { batch, segment, from, to }] of batches.entries()) {
    const last = batches[index - 1];
    const isBehind =
      last === undefined || !isBefore({ segment, offset: from }, { segment: last.segment, offset: last.to });
    assert(
      isBehind && from <= to,
      `Batch ${batch} must follow the previous one in the journal: records in both would be loaded twice.`,
    );
  }
}
