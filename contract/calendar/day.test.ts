import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, daysBetween, isDay, toDay, yearBefore } from './day.ts';

test('a day exists in the calendar, and is written in full', () => {
  for (const day of ['2026-11-03', '2024-02-29', '0001-01-01']) assert.ok(isDay(day), day);
  for (const text of ['2026-02-29', '2026-2-3', '2026-13-01', '2026-11-03T00:00', ' 2026-11-03', ''])
    assert.ok(!isDay(text), text);
});

test('adds days across the ends of months and years', () => {
  assert.equal(addDays('2026-02-28', 1), '2026-03-01');
  assert.equal(addDays('2024-02-28', 1), '2024-02-29');
  assert.equal(addDays('2026-01-01', -1), '2025-12-31');
});

test('agrees with Temporal on any day', () => {
  const day = fc.integer({ min: 0, max: 65_000 }).map((days) => toDay(days * 86_400_000));
  fc.assert(
    fc.property(day, fc.integer({ min: -10_000, max: 10_000 }), (from, days) => {
      const to = addDays(from, days);
      assert.equal(to, Temporal.PlainDate.from(from).add({ days }).toString());
      assert.equal(daysBetween(from, to), days);
      assert.equal(yearBefore(from), Temporal.PlainDate.from(from).subtract({ years: 1 }).toString());
    }),
  );
});

test('returns the UTC day of a moment', () => {
  assert.equal(toDay(Date.parse('2026-03-10T23:59:59.999Z')), '2026-03-10');
  assert.equal(toDay(Date.parse('2026-03-11T00:00:00Z')), '2026-03-11');
});
