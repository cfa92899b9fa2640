import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listWeeks, mondayOf, weekdayOf } from './week.ts';

test('a week begins on Monday', () => {
  // November 9, 2026 is a Monday.
  assert.equal(mondayOf('2026-11-08'), '2026-11-02');
  assert.equal(mondayOf('2026-11-09'), '2026-11-09');
  assert.equal(mondayOf('2026-11-15'), '2026-11-09');
  assert.deepEqual([weekdayOf('2026-11-15'), weekdayOf('2026-11-09')], [0, 1]);
});

test('lists the weeks that contain a day of a period', () => {
  assert.deepEqual(listWeeks('2026-11-02', '2026-11-16'), ['2026-11-02', '2026-11-09', '2026-11-16']);
  assert.deepEqual(listWeeks('2026-11-03', '2026-11-15'), ['2026-11-02', '2026-11-09']);
  assert.deepEqual(listWeeks('2026-11-08', '2026-11-08'), ['2026-11-02']);
});
