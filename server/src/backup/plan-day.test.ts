import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cell } from '../store/move/list-contents.ts';
import type { RecordsPiece } from './manifest.ts';
import { contentOf, planDay } from './plan-day.ts';

const limits = { maxRecords: 100, isClosed: false };

const cell = (batch: number, records = 10, node = 'n1'): Cell => ({
  node,
  batch,
  records,
  checksum: String(batch * records),
});

function piece(cells: readonly Cell[]): RecordsPiece {
  const { node, batch: fromBatch } = cells[0]!;
  const records = cells.reduce((sum, each) => sum + each.records, 0);
  const path = `${node} ${fromBatch}`;
  const toBatch = cells.at(-1)!.batch;
  return { path, sha256: '', bytes: 1, node, fromBatch, toBatch, records, content: contentOf(cells) };
}

const batchesOf = (groups: readonly Cell[][]) => groups.map((group) => group.map(({ batch }) => batch));

test('saves all batches at first, in groups of one node that are not too large', () => {
  const cells = [cell(1, 60), cell(2, 30), cell(3, 30), cell(4, 200), cell(5), cell(1, 10, 'n2')];
  const { kept, groups } = planDay(cells, [], limits);
  assert.deepEqual(kept, []);
  assert.deepEqual(batchesOf(groups), [[1, 2], [3], [4], [5], [1]]);
});

test('keeps pieces whose batches are the same, and saves those that came since', () => {
  const known = [piece([cell(1), cell(2)])];
  const { kept, groups } = planDay([cell(1), cell(2), cell(3), cell(4)], known, limits);
  assert.deepEqual(kept, known);
  assert.deepEqual(batchesOf(groups), [[3, 4]]);
});

test('saves a piece again if a batch of it has changed, is gone, or was added', () => {
  const known = [piece([cell(1), cell(3)]), piece([cell(4), cell(5)])];
  const changes = [
    [cell(1), { ...cell(3), checksum: '7' }, cell(4), cell(5)],
    [cell(1), cell(4), cell(5)],
    [cell(1), cell(2), cell(3), cell(4), cell(5)],
  ];
  for (const cells of changes) {
    const { kept, groups } = planDay(cells, known, limits);
    assert.deepEqual(kept, [known[1]]);
    assert.deepEqual(batchesOf(groups), [cells.map(({ batch }) => batch).filter((batch) => batch < 4)]);
  }
});

test('never saves in one range what lies before and behind a piece that is kept', () => {
  const known = [piece([cell(3), cell(4)])];
  const { kept, groups } = planDay([cell(1), cell(3), cell(4), cell(6)], known, limits);
  assert.deepEqual(kept, known);
  assert.deepEqual(batchesOf(groups), [[1], [6]]);
});

test('joins the many small pieces of a day that gets no more records', () => {
  const cells = [1, 2, 3, 4, 5].map((batch) => cell(batch));
  const known = cells.map((each) => piece([each]));
  assert.equal(planDay(cells, known, limits).kept.length, 5);
  const { kept, groups } = planDay(cells, known, { ...limits, isClosed: true });
  assert.deepEqual([kept, batchesOf(groups)], [[], [[1, 2, 3, 4, 5]]]);
});

test('drops pieces whose batches are all gone', () => {
  assert.deepEqual(planDay([], [piece([cell(1)])], limits), { kept: [], groups: [] });
});
