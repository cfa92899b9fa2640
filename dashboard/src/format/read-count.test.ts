import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './create-format.ts';
import { readCount, writeCount } from './read-count.ts';

test('reads a number as people type it', () => {
  for (const text of [
    '250000',
    ' 250000 ',
    '250,000',
    '250.000',
    '250 000',
    '250\u00a0000',
    '250\u202f000',
    "250'000",
    '250’000',
  ])
    assert.equal(readCount(text), 250_000, text);
  assert.equal(readCount('1,250,000'), 1_250_000);
  assert.equal(readCount('0'), 0);
});

test('does not guess', () => {
  for (const text of ['', '1.5', '1,25', '1,250.000', '-5', '1e6', '12 monkeys', '25,00', '1234567890123456'])
    assert.equal(readCount(text), undefined, text);
});

test('writes a number so that it can be read again', () => {
  const written = (locale: string) => writeCount(1_250_000, createFormat({ locale, timeZone: 'UTC' }));
  assert.equal(written('en-US'), '1,250,000');
  assert.equal(written('de-DE'), '1.250.000');
  assert.equal(written('de-AT'), '1\u00a0250\u00a0000');
  // Its groups are 12,50,000.
  assert.equal(written('en-IN'), '1250000');
});
