import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalDay } from './create-local-day.ts';

const moment = Date.parse('2026-11-14T23:30:00Z');

test('tells the day at a place', () => {
  assert.equal(createLocalDay('Europe/Berlin')(moment), '2026-11-15');
  assert.equal(createLocalDay('America/New_York')(moment), '2026-11-14');
});

test('in UTC for a place that the browser does not know', () => {
  assert.equal(createLocalDay('Mars/Olympus')(moment), '2026-11-14');
});
