import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervals } from '@trackside/contract/stats/intervals.ts';
import fc from 'fast-check';
import { countIntervals, listIntervals } from './list-intervals.ts';
import { addDays, lastDays, lastMinutes, namedPeriod, previousPeriod, previousYear } from './periods.ts';

const today = '2026-03-04';

test('names mean the days that people expect, up to today', () => {
  const periods = {
    today: ['2026-03-04', '2026-03-04'],
    yesterday: ['2026-03-03', '2026-03-03'],
    thisWeek: ['2026-03-02', '2026-03-04'],
    thisMonth: ['2026-03-01', '2026-03-04'],
    lastMonth: ['2026-02-01', '2026-02-28'],
    thisYear: ['2026-01-01', '2026-03-04'],
    all: ['2024-05-06', '2026-03-04'],
  } as const;
  for (const [name, [from, to]] of Object.entries(periods)) {
    assert.deepEqual(namedPeriod(name as keyof typeof periods, today, '2024-05-06'), { from, to }, name);
  }
  assert.deepEqual(lastDays(30, today), { from: '2026-02-03', to: today });
  assert.deepEqual(namedPeriod('all', today, '2027-01-01'), { from: today, to: today });
});

test('the last minutes go over midnight', () => {
  assert.deepEqual(lastMinutes(30, { day: today, at: '2026-03-04 00:10:59' }), {
    ...{ from: '2026-03-03', fromTime: '23:41', to: today, toTime: '00:10' },
  });
  assert.deepEqual(lastMinutes(1, { day: today, at: '2026-03-04 12:00:00' }), {
    ...{ from: today, fromTime: '12:00', to: today, toTime: '12:00' },
  });
});

test('the period before is as long and ends where this one begins', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
  fc.assert(
    fc.property(day, fc.nat(400), (from, length) => {
      const before = previousPeriod({ from, to: addDays(from, length) });
      assert.deepEqual(before, { from: addDays(from, -length - 1), to: addDays(from, -1) });
    }),
  );
  assert.deepEqual(previousPeriod({ from: today, to: today, fromTime: '00:10', toTime: '00:39' }), {
    ...{ from: '2026-03-03', fromTime: '23:40', to: today, toTime: '00:09' },
  });
});

test('a year before 29 February is the last of February', () => {
  assert.deepEqual(previousYear({ from: '2024-02-29', to: '2024-03-01' }), {
    from: '2023-02-28',
    to: '2023-03-01',
  });
});

test('lists every interval that the period touches', () => {
  const period = { from: '2026-02-27', to: '2026-03-03' };
  assert.deepEqual(
    listIntervals('day', period),
    ['27', '28'].map((d) => `2026-02-${d}`).concat(['01', '02', '03'].map((d) => `2026-03-${d}`)),
  );
  assert.deepEqual(listIntervals('week', period), ['2026-02-23', '2026-03-02']);
  assert.deepEqual(listIntervals('month', period), ['2026-02-01', '2026-03-01']);
  assert.equal(listIntervals('hour', period).length, 5 * 24);
  assert.deepEqual(listIntervals('minute', { from: today, to: today, fromTime: '09:58', toTime: '10:01' }), [
    ...['09:58', '09:59', '10:00', '10:01'].map((time) => `${today}T${time}`),
  ]);
  assert.deepEqual(listIntervals('hour', { from: today, to: today, fromTime: '09:58', toTime: '10:01' }), [
    ...['09:00', '10:00'].map((time) => `${today}T${time}`),
  ]);
});

test('there are never more intervals than were counted beforehand', () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.nat(60), fc.constantFrom(...intervals), (start, length, interval) => {
      const from = addDays('2020-01-01', start);
      const period = { from, to: addDays(from, length) };
      assert.ok(listIntervals(interval, period).length <= countIntervals(interval, period));
    }),
  );
});
