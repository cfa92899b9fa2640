import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDay, isStorableDay } from './calendar-day.ts';

test('a day is one of the calendar, written in full', () => {
  for (const day of ['2026-11-03', '2024-02-29', '0001-01-01']) assert.ok(isDay(day), day);
  for (const text of ['2026-02-29', '2026-2-3', '2026-13-01', '2026-11-03T00:00', ' 2026-11-03', ''])
    assert.ok(!isDay(text), text);
});

test('a record can only have a day that the store has', () => {
  for (const day of ['1970-01-01', '2149-06-06']) assert.ok(isStorableDay(day), day);
  for (const day of ['1969-12-31', '2149-06-07']) assert.ok(!isStorableDay(day), day);
});
