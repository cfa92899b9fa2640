import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTimezone } from './parse-timezone.ts';

test('accepts every timezone of the IANA database, in any letter case', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) assert.equal(parseTimezone(zone), zone);
  assert.equal(parseTimezone('europe/berlin'), 'Europe/Berlin');
  assert.equal(parseTimezone(' utc '), 'UTC');
});

test('refuses anything else, and names the timezone of a city', () => {
  assert.throws(() => parseTimezone('Berlin'), { reason: 'invalid', message: /: use Europe\/Berlin$/ });
  assert.throws(() => parseTimezone('new york'), { message: /: use America\/New_York$/ });
  for (const text of ['', '+01:00', 'Mars/Olympus', 'UTC+1']) {
    assert.throws(() => parseTimezone(text), { reason: 'invalid', message: /IANA/ });
  }
});
