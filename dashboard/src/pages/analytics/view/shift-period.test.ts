import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { spanOf } from './periods.ts';
import { shiftPeriod } from './shift-period.ts';
import { namedPeriods } from './view.ts';

const today = '2026-11-15';
const back = (period: Parameters<typeof shiftPeriod>[0]) => shiftPeriod(period, today, -1);
const forth = (period: Parameters<typeof shiftPeriod>[0]) => shiftPeriod(period, today, 1);

test('moves by the length of the period, and by months for months', () => {
  assert.deepEqual(back('7d'), { from: '2026-11-02', to: '2026-11-08' });
  assert.deepEqual(back('lastMonth'), { from: '2026-09-01', to: '2026-09-30' });
  assert.deepEqual(back({ from: '2026-01-01', to: '2026-03-31' }), { from: '2025-10-01', to: '2025-12-31' });
  assert.deepEqual(back('12m'), { from: '2024-11-01', to: '2025-10-31' });
  assert.deepEqual(back('thisQuarter'), { from: '2026-07-01', to: '2026-09-30' });
  assert.deepEqual(back('thisYear'), { from: '2025-01-01', to: '2025-12-31' });
  assert.deepEqual(back({ from: '2026-11-03T14:00', to: '2026-11-03T15:59' }), {
    from: '2026-11-03T12:00',
    to: '2026-11-03T13:59',
  });
});

test('a period that has a name gets it back', () => {
  assert.equal(back('today'), 'yesterday');
  assert.equal(forth('yesterday'), 'today');
  assert.equal(back('thisMonth'), 'lastMonth');
  assert.equal(forth('lastMonth'), 'thisMonth');
  assert.deepEqual(shiftPeriod('thisWeek', '2026-11-18', -1), { from: '2026-11-09', to: '2026-11-15' });
  const lastWeek = { from: '2026-11-09', to: '2026-11-15' };
  assert.equal(shiftPeriod(lastWeek, '2026-11-18', 1), 'thisWeek');
});

test('never goes beyond today', () => {
  for (const period of ['today', '7d', '30d', 'thisMonth', '12m', 'all'] as const)
    assert.equal(forth(period), undefined, period);
  assert.equal(back('all'), undefined);
  assert.equal(back('24h'), undefined, 'it moves with the clock');
  assert.deepEqual(forth({ from: '2026-11-05', to: '2026-11-12' }), { from: '2026-11-08', to: today });
  assert.equal(forth({ from: `${today}T12:00`, to: `${today}T23:59` }), undefined);
});

test('moving forward leads back to the start', () => {
  const names = fc.constantFrom(...namedPeriods.filter((name) => name !== 'all' && name !== '24h'));
  const days = fc.integer({ min: 0, max: 2_000 }).map((offset) => {
    return new Date(Date.UTC(2022, 0, 1 + offset)).toISOString().slice(0, 10);
  });
  fc.assert(
    fc.property(names, days, (name, day) => {
      const before = shiftPeriod(name, day, -1);
      assert.ok(before !== undefined);
      // The days are the same, although they may have another name: on 30 July, the last 30 days are this
      // month.
      assert.deepEqual(spanOf(shiftPeriod(before, day, 1)!, day), spanOf(name, day));
    }),
  );
});
