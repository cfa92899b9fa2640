import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCount } from './read-count.ts';

test('reads a number as people type it', () => {
  for (const text of ['250000', ' 250000 ', '250,000', '250.000', '250 000', '250 000', "250'000", '250’000'])
    assert.equal(readCount(text), 250_000, text);
  assert.equal(readCount('1,250,000'), 1_250_000);
  assert.equal(readCount('0'), 0);
});

test('does not guess', () => {
  for (const text of ['', '1.5', '1,25', '1,250.000', '-5', '1e6', '12 monkeys', '25,00', '1234567890123456'])
    assert.equal(readCount(text), undefined, text);
});
