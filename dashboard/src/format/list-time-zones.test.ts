import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTimeZones, offsetOf, searchTimeZones } from './list-time-zones.ts';

const winter = new Date('2026-01-15T12:00:00.000Z');
const summer = new Date('2026-07-15T12:00:00.000Z');

test('shows the offset on that day', () => {
  assert.equal(offsetOf('Europe/Berlin', winter), 'UTC+1');
  assert.equal(offsetOf('Europe/Berlin', summer), 'UTC+2');
  assert.equal(offsetOf('Asia/Kolkata', winter), 'UTC+5:30');
  assert.equal(offsetOf('America/New_York', winter), 'UTC−5');
  assert.equal(offsetOf('UTC', winter), 'UTC');
  assert.equal(offsetOf('Mars/Olympus', winter), undefined);
});

test('lists all timezones, UTC, and an outdated name that is in use', () => {
  const names = listTimeZones(winter, 'Asia/Katmandu').map(({ name }) => name);
  assert.equal(names[0], 'UTC');
  assert.ok(names.length > 400);
  assert.ok(names.includes('Asia/Katmandu'));
  assert.equal(new Set(names).size, names.length);
});

test('finds by city, region or offset, with a space or an underscore', () => {
  const zones = listTimeZones(winter, 'Europe/Berlin');
  const find = (search: string) => searchTimeZones(zones, search).map(({ name }) => name);
  assert.deepEqual(find('new york'), ['America/New_York']);
  assert.deepEqual(find('New_York'), ['America/New_York']);
  assert.deepEqual(find('europe berl'), ['Europe/Berlin']);
  assert.ok(find('utc+5:30').includes('Asia/Kolkata') || find('utc+5:30').includes('Asia/Calcutta'));
  assert.ok(find('utc-5').includes('America/New_York'));
  assert.deepEqual(find('atlantis'), []);
});
