import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMinutes, minutesBetween, toMinute } from './minute.ts';

test('adds minutes across midnight', () => {
  assert.equal(addMinutes('2026-12-31T23:59', 1), '2027-01-01T00:00');
  assert.equal(addMinutes('2026-03-01T00:10', -30), '2026-02-28T23:40');
  assert.equal(minutesBetween('2026-02-28T23:40', '2026-03-01T00:10'), 30);
});

test('returns the UTC minute of a moment', () => {
  assert.equal(toMinute(Date.parse('2026-03-10T09:08:59.999Z')), '2026-03-10T09:08');
});
