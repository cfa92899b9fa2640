import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutDays } from './lay-out-days.ts';

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
