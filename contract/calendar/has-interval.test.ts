import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHasInterval } from './has-interval.ts';

test('an hour that clocks skip does not exist', () => {
  const hasHour = createHasInterval('hour', 'Europe/Berlin');
  const found = ['01', '02', '03'].map((hour) => hasHour(`2026-03-29T${hour}:00`));
  assert.deepEqual(found, [true, false, true]);
  assert.equal(hasHour('2026-03-28T02:00'), true);
  // The hour that comes twice exists.
  assert.equal(hasHour('2026-10-25T02:00'), true);
  const hasMinute = createHasInterval('minute', 'America/New_York');
  const minutes = ['01:59', '02:00', '02:59', '03:00'].map((time) => hasMinute(`2026-03-08T${time}`));
  assert.deepEqual(minutes, [true, false, false, true]);
});

test('an hour of which half is skipped exists', () => {
  const timezone = 'Australia/Lord_Howe';
  assert.equal(createHasInterval('hour', timezone)('2026-10-04T02:00'), true);
  assert.equal(createHasInterval('minute', timezone)('2026-10-04T02:15'), false);
});

test('days, weeks and months exist, except for a day that a place skipped', () => {
  assert.equal(createHasInterval('day', 'Pacific/Apia')('2011-12-30'), false);
  assert.equal(createHasInterval('day', 'Pacific/Apia')('2011-12-31'), true);
  assert.equal(createHasInterval('week', 'Pacific/Apia')('2011-12-26'), true);
  assert.equal(createHasInterval('month', 'Europe/Berlin')('2026-03-01'), true);
});
