import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { occurredAt, readTime } from './occurred-at.ts';

test('reads a time in UTC, with an offset, and with any fraction', () => {
  const ms = Date.UTC(2026, 10, 17, 9, 30, 5);
  for (const [text, expected] of [
    ['2026-11-17T09:30:05Z', ms],
    ['2026-11-17t09:30:05z', ms],
    ['2026-11-17T10:30:05+01:00', ms],
    ['2026-11-16T22:00:05-11:30', ms],
    ['2026-11-17T09:30:05-00:00', ms],
    ['2026-11-17T09:30:05.1Z', ms + 100],
    ['2026-11-17T09:30:05.999999999Z', ms + 999],
    ['2028-02-29T00:00:00+14:00', Date.UTC(2028, 1, 28, 10)],
  ] as const)
    assert.equal(readTime(text), expected, text);
});

test('reads what JavaScript writes', () => {
  const date = fc.date({ min: new Date(0), max: new Date('2149-06-06T23:59:59.999Z'), noInvalidDate: true });
  fc.assert(fc.property(date, (at) => assert.equal(readTime(at.toISOString()), at.getTime())));
});

test('refuses what is no time with seconds and an offset', () => {
  for (const text of [
    '',
    'yesterday',
    '2026-11-17',
    '2026-11-17T09:30Z',
    '2026-11-17 09:30:00Z',
    '2026-11-17T09:30:00.Z',
    '2026-11-17T09:30:00.1234567890Z',
    '2026-11-17T09:30:00+0100',
    '2026-11-17T09:30:00+24:00',
    '2026-11-17T09:30:00+01:60',
    '2026-02-29T09:30:00Z',
    '2026-13-01T09:30:00Z',
    '2026-00-10T09:30:00Z',
    '2026-11-17T24:00:00Z',
    '2026-11-17T09:60:00Z',
    '2026-12-31T23:59:60Z',
    '0050-01-01T00:00:00Z',
    ' 2026-11-17T09:30:00Z',
    '2026-11-17T09:30:00Z\n',
    '٢026-11-17T09:30:00Z',
  ]) {
    assert.equal(readTime(text), undefined, JSON.stringify(text));
    assert.ok(occurredAt(text), JSON.stringify(text));
  }
  for (const value of [0, 1_794_900_000, true, [], {}, null]) assert.ok(occurredAt(value));
});

test('says what to add when only the offset is missing', () => {
  assert.equal(occurredAt('2026-11-17T09:30:00')?.advice, 'add Z or an offset such as +01:00');
  assert.equal(occurredAt('2026-11-17')?.advice, undefined);
});
