import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays } from './day.ts';
import { lastDays, lastMinutes, previousPeriod, previousYear } from './period.ts';

const today = '2026-03-04';

test('the last days end with today', () => {
  assert.deepEqual(lastDays(30, today), { from: '2026-02-03', to: today });
  assert.deepEqual(lastDays(1, today), { from: today, to: today });
});

test('the last minutes continue across midnight', () => {
  assert.deepEqual(lastMinutes(30, { day: today, at: '2026-03-04 00:10:59' }), {
    from: '2026-03-03',
    fromTime: '23:41',
    to: today,
    toTime: '00:10',
  });
  assert.deepEqual(lastMinutes(1, { day: today, at: '2026-03-04 12:00:00' }), {
    from: today,
    fromTime: '12:00',
    to: today,
    toTime: '12:00',
  });
});

test('the previous period has the same length and ends where this one begins', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
  fc.assert(
    fc.property(day, fc.nat(400), (from, length) => {
      const before = previousPeriod({ from, to: addDays(from, length) });
      assert.deepEqual(before, { from: addDays(from, -length - 1), to: addDays(from, -1) });
    }),
  );
  assert.deepEqual(previousPeriod({ from: today, to: today, fromTime: '00:10', toTime: '00:39' }), {
    from: '2026-03-03',
    fromTime: '23:40',
    to: today,
    toTime: '00:09',
  });
});

test('a year before February 29 is the last day of February', () => {
  assert.deepEqual(previousYear({ from: '2024-02-29', to: '2024-03-01' }), {
    from: '2023-02-28',
    to: '2023-03-01',
  });
});
