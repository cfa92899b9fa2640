import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountStream, type StreamRow } from './account-stream.ts';
import type { SeenNumbers } from './tally-rows.ts';

const hour = (number: number) => number * 3_600_000;
const row = (at: number, numbers: SeenNumbers, arrivals: number): StreamRow => ({
  hour: hour(at),
  key: 'k',
  release: '',
  arrivals,
  numbers,
});

/** The counts as `hour outcome records`, without key and release. */
function countsOf(rows: readonly StreamRow[], foldedTo = 0): string[] {
  const { counts, gaps } = accountStream(rows, foldedTo);
  return [
    ...counts.map((count) => `${count.hour / hour(1)} ${count.outcome} ${count.records}`),
    ...gaps.map((gap) => `${gap.hour / hour(1)} gap ${gap.from}-${gap.to}`),
  ];
}

test('a number belongs to the hour in which one as high was first seen', () => {
  const rows = [
    row(1, { accepted: [[1, 3]] }, 3),
    row(2, { accepted: [[6, 8]] }, 3),
    row(
      3,
      {
        accepted: [
          [4, 4],
          [9, 9],
        ],
      },
      2,
    ),
  ];
  assert.deepEqual(countsOf(rows), [
    '1 accepted 3',
    '2 accepted 3',
    '2 accepted 1',
    '3 accepted 1',
    '2 gap 5-5',
  ]);
});

test('the best outcome of a number counts, and its other arrivals are repeats', () => {
  const rows = [row(1, { over_quota: [[1, 2]], refused: [[3, 3]] }, 3), row(2, { accepted: [[2, 3]] }, 4)];
  assert.deepEqual(countsOf(rows), ['2 repeated 4', '1 accepted 2', '1 over_quota 1']);
});

test('takes the rows of all nodes together', () => {
  const rows = [
    row(
      1,
      {
        accepted: [
          [1, 1],
          [3, 3],
        ],
      },
      2,
    ),
    row(1, { accepted: [[2, 3]] }, 2),
  ];
  assert.deepEqual(countsOf(rows), ['1 repeated 1', '1 accepted 2', '1 accepted 1']);
});

test('what was folded or settled is not missing', () => {
  assert.deepEqual(countsOf([row(5, { accepted: [[12, 12]] }, 1)], 10), ['5 accepted 1', '5 gap 11-11']);
  const settled = row(5, { settled: [[1, 20]], accepted: [[22, 22]] }, 1);
  assert.deepEqual(countsOf([settled]), ['5 accepted 1', '5 gap 21-21']);
});

test('a jump of more than a million is no loss', () => {
  const rows = [
    row(1, { accepted: [[1, 1]] }, 1),
    row(2, { accepted: [[9_007_199_254_740_991, 9_007_199_254_740_991]] }, 1),
  ];
  assert.deepEqual(countsOf(rows), ['1 accepted 1', '2 accepted 1']);
});

test('says what is left of later hours once earlier ones are folded', () => {
  const first = row(
    1,
    {
      accepted: [
        [1, 2],
        [4, 4],
      ],
    },
    3,
  );
  const second = row(
    2,
    {
      accepted: [
        [2, 3],
        [5, 5],
      ],
    },
    4,
  );
  const account = accountStream([first, second], 0);
  assert.equal(account.highestAt(hour(1)), 4);
  assert.deepEqual(account.leftOf(second, 4), { arrivals: 3, numbers: { accepted: [[5, 5]] } });
  assert.deepEqual(countsOf([{ ...second, ...account.leftOf(second, 4) }], 4), [
    '2 repeated 2',
    '2 accepted 1',
  ]);
});
