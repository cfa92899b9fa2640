import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays } from './day.ts';
import { countIntervals, intervalEnd, intervals, listIntervals } from './intervals.ts';

const today = '2026-03-04';

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

test('there are never more intervals than were counted in advance', () => {
  fc.assert(
    fc.property(fc.nat(3000), fc.nat(60), fc.constantFrom(...intervals), (start, length, interval) => {
      const from = addDays('2020-01-01', start);
      const period = { from, to: addDays(from, length) };
      assert.ok(listIntervals(interval, period).length <= countIntervals(interval, period));
    }),
  );
});

test('an interval ends with its last day or minute', () => {
  assert.equal(intervalEnd('minute', '2026-03-04T14:05'), '2026-03-04T14:05');
  assert.equal(intervalEnd('hour', '2026-03-04T14:00'), '2026-03-04T14:59');
  assert.equal(intervalEnd('day', '2026-03-04'), '2026-03-04');
  assert.equal(intervalEnd('week', '2026-02-23'), '2026-03-01');
  assert.equal(intervalEnd('month', '2024-02-01'), '2024-02-29');
});

test('intervals follow each other without a gap', () => {
  fc.assert(
    fc.property(
      fc.nat(3000),
      fc.nat(100),
      fc.constantFrom('day', 'week', 'month'),
      (start, length, interval) => {
        const from = addDays('2020-01-01', start);
        const starts = listIntervals(interval, { from, to: addDays(from, length) });
        for (const [index, next] of starts.slice(1).entries())
          assert.equal(addDays(intervalEnd(interval, starts[index]!), 1), next);
      },
    ),
  );
});
