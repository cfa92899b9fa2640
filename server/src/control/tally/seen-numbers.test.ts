import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Range } from './number-ranges.ts';
import { settleLowest, uniteNumbers } from './seen-numbers.ts';

const odd = (from: number, times: number) =>
  Array.from({ length: times }, (_, at): Range => [from + 2 * at, from + 2 * at]);

test('keeps few pieces of any number of them', () => {
  const { left, settled } = settleLowest({ accepted: odd(1, 300_000) });
  assert.equal(left.accepted!.length, 500);
  assert.equal(settled.get('accepted'), 299_500);
  assert.deepEqual(left.settled, [[1, 598_999]]);
});

test('what was settled is in few pieces too', () => {
  const { left, settled } = settleLowest(uniteNumbers({ settled: odd(5, 1000) }, { accepted: odd(5001, 2) }));
  assert.deepEqual(left.settled, [[5, 2003]]);
  assert.deepEqual(left.accepted, odd(5001, 2));
  assert.equal(settled.get('accepted'), 0);
});
