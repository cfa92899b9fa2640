import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ratePassword } from './rate-password.ts';

test('says how many characters are missing', () => {
  assert.deepEqual(ratePassword('abcdefghi'), { level: 1, text: 'Too short: 1 more character needed.' });
  assert.equal(ratePassword('').level, 0);
  assert.equal(ratePassword('🐎🐎🐎🐎🐎🐎🐎🐎🐎').level, 1, 'one animal is one character');
});

test('long is strong, repeated is not', () => {
  assert.equal(ratePassword('correct horse battery').level, 3);
  assert.equal(ratePassword('Tr0ub4dor&3xy').level, 3);
  assert.equal(ratePassword('lampshades').level, 2);
  assert.equal(ratePassword('aaaaaaaaaaaaaaaaaaaa').level, 1);
  assert.equal(ratePassword('abcabcabcabcabc').level, 1);
  assert.equal(ratePassword('123456789012345').level, 1);
});
