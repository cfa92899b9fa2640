import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstKeptDay } from './first-kept-day.ts';

test('keeps today and the given number of days before it', () => {
  assert.equal(firstKeptDay('2026-03-10', 1), '2026-03-09');
  assert.equal(firstKeptDay('2026-03-01', 1), '2026-02-28');
  assert.equal(firstKeptDay('2024-03-01', 1), '2024-02-29');
  assert.equal(firstKeptDay('2026-03-10', 365), '2025-03-10');
});
