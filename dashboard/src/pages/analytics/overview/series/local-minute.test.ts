import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localMinute } from './local-minute.ts';

test('tells the minute by the clock of a place', () => {
  assert.equal(localMinute('2026-11-13T23:05:59.000Z', 'Europe/Berlin'), '2026-11-14T00:05');
  assert.equal(localMinute('2026-11-14T05:00:00.000Z', 'America/New_York'), '2026-11-14T00:00');
});

test('a place that is not known has the time of UTC', () => {
  assert.equal(localMinute('2026-11-14T05:00:00.000Z', 'Mars/Olympus'), '2026-11-14T05:00');
});
