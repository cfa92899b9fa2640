import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMonths, monthEnd, monthStart, monthsBetween } from './month.ts';

test('a month lasts from its first day to its last', () => {
  assert.equal(monthStart('2026-02-17'), '2026-02-01');
  assert.equal(monthEnd('2026-02-17'), '2026-02-28');
  assert.equal(monthEnd('2024-02-01'), '2024-02-29');
  assert.equal(monthEnd('2026-12-31'), '2026-12-31');
});

test('adds months across the ends of years', () => {
  assert.equal(addMonths('2026-11-01', 2), '2027-01-01');
  assert.equal(addMonths('2026-01-01', -13), '2024-12-01');
  assert.equal(monthsBetween('2024-12-31', '2026-01-01'), 13);
  assert.equal(monthsBetween('2026-01-01', '2026-01-31'), 0);
});
