import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './create-format.ts';
import { formatWordsGerman } from './format-words-german.ts';

const british = createFormat({ locale: 'en-GB', timeZone: 'Europe/Berlin' });
const american = createFormat({ locale: 'en-US', timeZone: 'UTC' });
const german = createFormat({ locale: 'de-DE', timeZone: 'Europe/Berlin', words: formatWordsGerman });

test('formats numbers for the reader’s country', () => {
  assert.equal(british.number(182_406), '182,406');
  assert.equal(german.number(182_406), '182.406');
});

test('gives the numbers of a column the same precision, and shortens large ones', () => {
  assert.deepEqual([british.decimal(2.9, 2), german.decimal(3, 1)], ['2.90', '3,0']);
  assert.deepEqual([british.percent(0.384), german.percent(0.384, 1)], ['38%', '38,4\u00a0%']);
  assert.deepEqual([american.compact(12_345_678), german.compact(12_345_678)], ['12.3M', '12,3\u00a0Mio.']);
});

test('formats dates in the language of the page', () => {
  assert.equal(german.utcDay('2026-12-01T00:00:00.000Z'), '1. Dezember');
  assert.equal(british.day('2026-11-14T23:30:00.000Z'), '15 Nov 2026', 'the day in the reader’s timezone');
  assert.equal(british.clock('2026-11-14T13:02:11.000Z'), '14:02:11');
  assert.equal(british.hour('2026-11-14T23:02:11.000Z'), '00:02');
});

test('tells how long ago something happened', () => {
  const now = Date.parse('2026-11-14T12:00:00.000Z');
  const ago = (ms: number) => british.ago(new Date(now - ms).toISOString(), now);
  assert.equal(ago(200), 'just now');
  assert.equal(ago(-5_000), 'just now', 'a clock that is behind');
  assert.equal(ago(3_400), '3 seconds ago');
  assert.equal(ago(90_000), '1 minute ago');
  assert.equal(ago(5 * 3_600_000), '5 hours ago');
  assert.equal(ago(25 * 3_600_000), 'yesterday');
  assert.equal(ago(60 * 86_400_000), 'on 15 Sept 2026');
  assert.equal(german.ago('2026-11-14T11:59:59.900Z', now), 'gerade eben');
  assert.equal(german.ago('2026-09-15T12:00:00.000Z', now), 'am 15. Sept. 2026');
});

test('names countries in the reader’s language, and leaves unknown codes unchanged', () => {
  assert.equal(british.country('DE'), 'Germany');
  assert.equal(german.country('DE'), 'Deutschland');
  assert.equal(british.country(''), '');
  assert.equal(british.country('not a code'), 'not a code');
});

test('counts in words, in the singular or plural', () => {
  const records = { one: '# record', other: '# records' };
  assert.deepEqual(
    [0, 1, 2_048].map((value) => british.count(value, records)),
    ['0 records', '1 record', '2,048 records'],
  );
});

test('formats days and minutes in the website’s timezone, wherever the reader is', () => {
  const plain = (text: string) => text.replace(/\s/g, ' ');
  assert.equal(plain(british.span({ from: '2026-10-16', to: '2026-11-14' })), '16 Oct – 14 Nov 2026');
  assert.equal(plain(british.span({ from: '2026-11-14', to: '2026-11-14' })), '14 Nov 2026');
  assert.equal(plain(british.span({ from: '2026-10-01', to: '2026-10-31' }, false)), '1 – 31 Oct');
  assert.equal(
    plain(british.span({ from: '2026-11-03T14:00', to: '2026-11-03T18:59' })),
    '3 Nov 2026, 14:00–18:59',
  );
  assert.equal(british.hourIn('2026-11-14T11:04:00.000Z', 'Asia/Tokyo'), '20:04');
});
