import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPartOfDays, wholeDays } from './whole-days.ts';

test('widens minutes to the days that contain them', () => {
  const minutes = { from: '2026-11-03T14:00', to: '2026-11-04T01:59' };
  assert.deepEqual(wholeDays(minutes), { from: '2026-11-03', to: '2026-11-04' });
  assert.equal(isPartOfDays(minutes), true);
});

test('leaves days and names unchanged', () => {
  const days = { from: '2026-11-01', to: '2026-11-07' };
  assert.deepEqual(wholeDays(days), days);
  assert.equal(wholeDays('all'), 'all');
  assert.equal(wholeDays('24h'), '2d', 'two days have the last 24 hours in them');
  assert.equal(isPartOfDays('24h'), true);
  assert.equal(isPartOfDays(days), false);
  assert.equal(isPartOfDays('all'), false);
  assert.equal(isPartOfDays(undefined), false);
});
