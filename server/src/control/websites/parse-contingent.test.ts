import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkContingent, parseContingent } from './parse-contingent.ts';

test('accepts whole numbers up to a trillion, and unlimited', () => {
  assert.equal(parseContingent('0'), 0);
  assert.equal(parseContingent(' 10000 '), 10_000);
  assert.equal(parseContingent('1000000000000'), 1e12);
  assert.equal(parseContingent('Unlimited'), null);
});

test('refuses other numbers and other spellings', () => {
  for (const text of ['', '-1', '1.5', '1e6', '1,000', '1_000', '0x10', '1000000000001', 'none', 'NaN']) {
    assert.throws(() => parseContingent(text), { reason: 'invalid', message: /whole number/ }, text);
  }
  for (const value of [-1, 0.5, Number.NaN, 1e12 + 1]) {
    assert.throws(() => checkContingent(value), { reason: 'invalid' });
  }
});
