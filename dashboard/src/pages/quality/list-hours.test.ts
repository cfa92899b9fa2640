import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listHours } from './list-hours.ts';

const iso = (ms: number | undefined) => new Date(ms!).toISOString();

test('a day has the hours that begin on it', () => {
  const hours = listHours('2026-11-03', 'Europe/Berlin');
  assert.equal(hours.length, 24);
  assert.equal(iso(hours[0]), '2026-11-02T23:00:00.000Z');
});

test('a day is shorter or longer when the clock changes', () => {
  assert.equal(listHours('2026-03-29', 'Europe/Berlin').length, 23);
  assert.equal(listHours('2026-10-25', 'Europe/Berlin').length, 25);
});

test('at half an hour from UTC, a day has the hours that begin within it', () => {
  const hours = listHours('2026-11-03', 'Asia/Kolkata');
  assert.equal(hours.length, 24);
  assert.equal(iso(hours[0]), '2026-11-02T19:00:00.000Z');
});

test('the day of the timezone furthest from UTC is complete', () => {
  assert.equal(listHours('2026-11-03', 'Pacific/Kiritimati').length, 24);
  assert.equal(listHours('2026-11-03', 'Pacific/Niue').length, 24);
});
