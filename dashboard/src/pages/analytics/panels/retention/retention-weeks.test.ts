import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWeekOpen, weeksUpTo } from './retention-weeks.ts';

test('begins on a Monday and covers twelve weeks, including the last', () => {
  // 14 November 2026 is a Saturday, and the 9th is the Monday of its week.
  assert.deepEqual(weeksUpTo('2026-11-14'), { from: '2026-08-24', to: '2026-11-14' });
  assert.deepEqual(weeksUpTo('2026-11-15'), { from: '2026-08-24', to: '2026-11-15' });
  assert.deepEqual(weeksUpTo('2026-11-16'), { from: '2026-08-31', to: '2026-11-16' });
});

test('a week ends with its Sunday', () => {
  assert.equal(isWeekOpen('2026-11-14'), true);
  assert.equal(isWeekOpen('2026-11-15'), false);
  assert.equal(isWeekOpen('2026-11-16'), true);
});
