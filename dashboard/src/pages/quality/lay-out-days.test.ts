import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutDays, pickMonthLabels } from './lay-out-days.ts';

test('a week is a column that begins on Monday', () => {
  const days = layOutDays({ from: '2026-10-31', to: '2026-11-09' });
  assert.equal(days.length, 10);
  assert.deepEqual(days[0], { day: '2026-10-31', column: 0, row: 5 });
  assert.deepEqual(days[2], { day: '2026-11-02', column: 1, row: 0 });
  assert.deepEqual(days.at(-1), { day: '2026-11-09', column: 2, row: 0 });
});

test('up to seven days are in one row', () => {
  const days = layOutDays({ from: '2026-11-04', to: '2026-11-10' });
  assert.deepEqual(
    days.map(({ column, row }) => [column, row]),
    [0, 1, 2, 3, 4, 5, 6].map((column) => [column, 0]),
  );
});

test('the name of a month is above the first column whose top day is in it', () => {
  const labels = (from: string, to: string) =>
    pickMonthLabels(layOutDays({ from, to })).map(({ day, column }) => [day, column]);
  assert.deepEqual(labels('2026-10-20', '2026-11-18'), [
    ['2026-10-20', 0],
    ['2026-11-02', 2],
  ]);
  assert.deepEqual(labels('2026-10-28', '2026-11-26'), [['2026-11-02', 1]], 'no room for October');
  assert.deepEqual(labels('2026-11-03', '2026-11-18'), [['2026-11-03', 0]]);
  assert.deepEqual(labels('2026-10-28', '2026-11-02'), [
    ['2026-10-28', 0],
    ['2026-11-01', 4],
  ]);
});
