import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePeriod } from './parse-period.ts';

test('today is one of the days', () => {
  assert.deepEqual(parsePeriod('1d', '2026-03-10'), { from: '2026-03-10', to: '2026-03-10', days: 1 });
  assert.deepEqual(parsePeriod('30d', '2026-03-10'), { from: '2026-02-09', to: '2026-03-10', days: 30 });
});

test('goes over leap days and the turn of the year', () => {
  assert.equal(parsePeriod('2d', '2024-03-01')!.from, '2024-02-29');
  assert.equal(parsePeriod('2d', '2026-03-01')!.from, '2026-02-28');
  assert.equal(parsePeriod('366d', '2024-12-31')!.from, '2024-01-01');
  assert.equal(parsePeriod('3650d', '2026-03-10')!.days, 3650);
});

test('holds as many days as it says', () => {
  const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3650 }), day, (days, date) => {
      const today = date.toISOString().slice(0, 10);
      const period = parsePeriod(`${days}d`, today)!;
      const span = Temporal.PlainDate.from(period.from).until(Temporal.PlainDate.from(period.to));
      assert.equal(span.days + 1, days);
      assert.deepEqual([period.to, period.days], [today, days]);
    }),
  );
});

test('anything else is no period', () => {
  for (const text of [
    '',
    'd',
    '0d',
    '00d',
    '3651d',
    '10000d',
    '-1d',
    '1.5d',
    '30',
    '30D',
    ' 30d',
    '30d ',
    '1w',
    '٣d',
  ]) {
    assert.equal(parsePeriod(text, '2026-03-10'), undefined, JSON.stringify(text));
  }
});
