import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { sharedWords } from '#words/shared-words.ts';
import { ratePassword } from './rate-password.ts';

const format = createFormat({ locale: 'en-US', timeZone: 'UTC' });
const rate = (password: string) => ratePassword(password, sharedWords.password, format);

test('says how many characters are missing', () => {
  assert.deepEqual(rate('abcdefghi'), { level: 1, text: 'Too short. Add 1 more character.' });
  assert.equal(rate('').level, 0);
  assert.equal(rate('🐎🐎🐎🐎🐎🐎🐎🐎🐎').level, 1, 'one animal is one character');
});

test('rates long passwords as strong, and repetitive ones as weak', () => {
  assert.equal(rate('correct horse battery').level, 3);
  assert.equal(rate('Tr0ub4dor&3xy').level, 3);
  assert.equal(rate('lampshades').level, 2);
  assert.equal(rate('aaaaaaaaaaaaaaaaaaaa').level, 1);
  assert.equal(rate('abcabcabcabcabc').level, 1);
  assert.equal(rate('123456789012345').level, 1);
});
