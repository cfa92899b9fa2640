import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noCounts } from '../question/metrics.ts';
import { topOfSums } from './top-of-sums.ts';

const top = (visitors: Record<string, number>, limit = 10, descending = true) =>
  topOfSums(
    { order: [{ by: 'visitors', descending }], limit },
    new Map(
      Object.entries(visitors).map(([value, count]) => [value, { ...noCounts, visitors: count, visits: 2 }]),
    ),
  );
const valuesOf = (answer: ReturnType<typeof top>) => answer.rows.map(({ values }) => values[0]);

test('has the highest first, or the lowest, and tells how many there are', () => {
  assert.deepEqual(valuesOf(top({ a: 1, b: 3, c: 2 }, 2)), ['b', 'c']);
  assert.deepEqual(valuesOf(top({ a: 1, b: 3, c: 2 }, 2, false)), ['a', 'c']);
  assert.equal(top({ a: 1, b: 3, c: 2 }, 2).totalRows, 3);
});

test('equal numbers come in the order of the bytes, as in the store', () => {
  // In UTF-16 the emoji begins with a unit below U+FF5E; in bytes it comes last.
  assert.deepEqual(valuesOf(top({ '～': 1, '😀': 1, b: 1, B: 1, ä: 1 })), ['B', 'b', 'ä', '～', '😀']);
});
