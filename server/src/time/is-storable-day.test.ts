import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isStorableDay } from './is-storable-day.ts';

test('accepts only days that the store can hold', () => {
  for (const day of ['1970-01-01', '2149-06-06']) assert.ok(isStorableDay(day), day);
  for (const day of ['1969-12-31', '2149-06-07', '2026-02-29', '2026-2-3'])
    assert.ok(!isStorableDay(day), day);
});
