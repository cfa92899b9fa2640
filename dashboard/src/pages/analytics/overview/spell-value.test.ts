import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { spellExact, spellShort, spellValue } from './spell-value.ts';

const format = createFormat({ locale: 'en-US', timeZone: 'UTC' });
const german = createFormat({ locale: 'de-DE', timeZone: 'UTC', words: formatWordsGerman });

test('shows counts exactly, up to seven digits', () => {
  assert.equal(spellValue('count', 48_213, format), '48,213');
  assert.equal(spellValue('count', 9_999_999, format), '9,999,999');
  assert.equal(spellExact('count', 9_999_999, format), undefined);
});

test('marks larger counts as rounded, and offers the exact number', () => {
  assert.equal(spellValue('count', 12_345_678, format), '≈12.3M');
  assert.equal(spellValue('count', 2_345_678_901, german), '≈2,35\u00a0Mrd.');
  assert.equal(spellExact('count', 12_345_678, format), '12,345,678');
});

test('formats ratios, shares, rates and durations, each in its own way', () => {
  assert.equal(spellValue('ratio', 2.9477, format), '2.95');
  assert.equal(spellValue('ratio', 2.9, german), '2,90', 'as many digits as its neighbors');
  assert.equal(spellValue('share', 0.3849, format), '38%');
  assert.equal(spellValue('rate', 0.0249, format), '2.5%');
  assert.equal(spellValue('rate', 0.25, format), '25.0%', 'as many digits as a small one');
  assert.equal(spellValue('seconds', 0.2, format), '0s');
  assert.equal(spellValue('seconds', 41, format), '41s');
  assert.equal(spellValue('seconds', 160.6, format), '2m 41s');
  assert.equal(spellValue('seconds', 3725, format), '1h 2m');
  assert.equal(spellValue('seconds', 170, german), '2 Min. 50 Sek.');
  assert.equal(spellValue('seconds', 3725, german), '1 Std. 2 Min.');
});

test('shows a dash for a division by zero', () => {
  assert.equal(spellValue('share', null, format), '–');
});

test('shortens values for an axis', () => {
  assert.deepEqual(
    [0, 0.5, 500, 1250, 20_000, 2_500_000].map((value) => spellShort('count', value, format)),
    ['0', '0.5', '500', '1.25K', '20K', '2.5M'],
  );
  assert.deepEqual(
    [30, 60, 90, 3600].map((value) => spellShort('seconds', value, format)),
    ['30s', '1m', '1m 30s', '1h'],
  );
});
