import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayChange, periodOf, spanOf } from './periods.ts';

const today = '2026-11-15';

test('names stand for days up to today', () => {
  assert.deepEqual(spanOf('today', today), { from: today, to: today });
  assert.deepEqual(spanOf('yesterday', today), { from: '2026-11-14', to: '2026-11-14' });
  assert.deepEqual(spanOf('7d', today), { from: '2026-11-09', to: today });
  assert.deepEqual(spanOf('30d', today), { from: '2026-10-17', to: today });
  assert.deepEqual(spanOf('thisMonth', today), { from: '2026-11-01', to: today });
  assert.deepEqual(spanOf('lastMonth', today), { from: '2026-10-01', to: '2026-10-31' });
  assert.deepEqual(spanOf('12m', today), { from: '2025-11-01', to: '2026-10-31' }, 'whole months');
  assert.deepEqual(spanOf('24h', today), { from: '2026-11-14', to: today });
  assert.deepEqual(spanOf('thisQuarter', today), { from: '2026-10-01', to: today });
});

test('asks for days, or for a name where the server knows better', () => {
  assert.deepEqual(periodOf({ period: '7d' }, today), { from: '2026-11-09', to: today });
  assert.equal(periodOf({ period: 'all' }, today), 'all');
  assert.equal(periodOf({ period: '24h' }, today), '24h', 'the server knows the minute');
});

test('knows which periods can still change', () => {
  assert.equal(mayChange('30d', today), true);
  assert.equal(mayChange('yesterday', today), true);
  assert.equal(mayChange({ from: '2026-11-13', to: '2026-11-13' }, today), false);
  assert.equal(mayChange({ from: '2026-11-15T08:00', to: '2026-11-15T08:59' }, today), true);
});
