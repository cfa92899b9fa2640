import assert from 'node:assert/strict';
import { test } from 'node:test';
import { intervalOf, intervalsOf } from './intervals.ts';
import { namedPeriods } from './view.ts';

const today = '2026-11-15';

test('offers the intervals that make a readable chart', () => {
  assert.deepEqual(intervalsOf('today', today), ['minute', 'hour']);
  assert.deepEqual(intervalsOf('24h', today), ['minute', 'hour']);
  assert.deepEqual(intervalsOf('7d', today), ['hour', 'day']);
  assert.deepEqual(intervalsOf('30d', today), ['day', 'week']);
  assert.deepEqual(intervalsOf('12m', today), ['day', 'week', 'month']);
  assert.deepEqual(intervalsOf({ from: '2015-01-01', to: today }, today), ['week', 'month']);
  assert.deepEqual(intervalsOf({ from: '2026-11-14T20:00', to: '2026-11-15T03:59' }, today), [
    'minute',
    'hour',
  ]);
});

test('the default is one of them', () => {
  for (const period of namedPeriods)
    assert.ok(
      intervalsOf(period, today).includes(intervalOf({ period, interval: undefined }, today)),
      period,
    );
  assert.equal(intervalOf({ period: 'today', interval: undefined }, today), 'hour');
  assert.equal(intervalOf({ period: '7d', interval: undefined }, today), 'day');
  assert.equal(intervalOf({ period: '12m', interval: undefined }, today), 'week');
});

test('ignores a chosen interval that does not fit', () => {
  assert.equal(intervalOf({ period: '7d', interval: 'hour' }, today), 'hour');
  assert.equal(intervalOf({ period: '30d', interval: 'hour' }, today), 'day');
});
