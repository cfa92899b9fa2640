import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BatchCount, BatchRange } from '../store/count-batches.ts';
import { compareBatches } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';

function batchOf(batch: number, months: Record<string, number>): Batch {
  return { batch, segment: 1, from: 0, to: 1, months, firstReceivedAt: '', lastReceivedAt: '' };
}

/** A store that has these counts, and remembers what it was asked. */
function storeWith(...counts: [batch: number, month: number, rows: number][]) {
  const asked: BatchRange[] = [];
  return {
    asked,
    async countBatches(range: BatchRange): Promise<BatchCount[]> {
      asked.push(range);
      return counts.map(([batch, month, rows]) => ({ batch, month, rows }));
    },
  };
}

test('batches with the same counts in every month are the same', async () => {
  const batches = [batchOf(4, { '202602': 3, '202603': 5 }), batchOf(5, { '202603': 1 })];
  const store = storeWith([4, 202602, 3], [4, 202603, 5], [5, 202603, 1]);
  assert.deepEqual(await compareBatches(store, 'n1', batches), { same: batches, different: [], others: [] });
  assert.deepEqual(store.asked, [
    { node: 'n1', fromBatch: 4, toBatch: Number.MAX_SAFE_INTEGER, fromDay: '2026-02-01' },
  ]);
});

test('names each month that has too few, too many, none or unexpected rows', async () => {
  const batches = [
    batchOf(1, { '202602': 3, '202603': 5 }),
    batchOf(2, { '202603': 2 }),
    batchOf(3, { '202603': 9 }),
    batchOf(4, { '202603': 1 }),
    batchOf(5, { '202603': 6 }),
  ];
  const store = storeWith(
    [1, 202602, 3],
    [1, 202603, 4],
    [2, 202603, 4],
    [4, 202603, 1],
    [4, 202604, 8],
    [5, 202603, 6],
  );
  const { same, different } = await compareBatches(store, 'n1', batches);
  assert.deepEqual(same, [batches[4]]);
  assert.deepEqual(
    different.map(({ batch, month, expected, found }) => [batch.batch, month, expected, found]),
    [
      [1, '202603', 5, 4],
      [2, '202603', 2, 4],
      [3, '202603', 9, 0],
      [4, '202604', 0, 8],
    ],
  );
});

test('a batch without rows is the same as long as the store has no rows of it', async () => {
  const batches = [batchOf(1, {})];
  assert.deepEqual((await compareBatches(storeWith(), 'n1', batches)).same, batches);
  assert.equal((await compareBatches(storeWith([1, 202603, 1]), 'n1', batches)).different.length, 1);
});

test('names batches that the store has but that were not asked for', async () => {
  const { others, same } = await compareBatches(storeWith([1, 202603, 1], [88, 202603, 2]), 'n1', [
    batchOf(1, { '202603': 1 }),
  ]);
  assert.deepEqual(others, [88]);
  assert.equal(same.length, 1);
});

test('looks at days before the earliest batch where others may have only late records', async () => {
  const store = storeWith();
  await compareBatches(store, 'n1', [batchOf(1, { '202603': 1 })], { daysBefore: 4 });
  assert.deepEqual(
    store.asked.map(({ fromDay }) => fromDay),
    ['2026-02-25'],
  );
});

test('asks nothing when there is nothing to compare', async () => {
  const store = storeWith();
  assert.deepEqual(await compareBatches(store, 'n1', []), { same: [], different: [], others: [] });
  assert.deepEqual(store.asked, []);
});
