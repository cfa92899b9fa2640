import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPassword } from './check-password.ts';
import { commonPasswords } from './common-passwords.ts';

const refused = (message: RegExp) => ({
  name: 'ControlError',
  reason: 'invalid',
  field: 'password',
  message,
});

test('accepts 10 to 200 characters, counted as people count them', () => {
  for (const text of ['tea at ten', '📈'.repeat(200), ' '.repeat(3) + 'x7'.repeat(5)]) checkPassword(text);
  for (const [text, length] of [
    ['', 0],
    ['tea at te', 9],
    ['📈'.repeat(9), 9],
    ['x'.repeat(201), 201],
  ] as const) {
    assert.throws(() => checkPassword(text), refused(new RegExp(`10 to 200 characters, got ${length}`)));
  }
});

test('refuses the passwords that are guessed first, in any letter case', () => {
  for (const text of ['password123', 'Password123', ' QWERTYUIOP ', 'trackside123']) {
    assert.throws(() => checkPassword(text), refused(/hard to guess/));
  }
});

test('refuses the email address as password, and does not repeat the password', () => {
  const email = 'ada@example.com';
  assert.throws(() => checkPassword('Ada@Example.com', email), refused(/than the email address/));
  assert.throws(
    () => checkPassword('password123', email),
    (error: Error) => !error.message.includes('password123'),
  );
  checkPassword('ada@example.org', email);
});

test('lists only passwords that would otherwise be accepted', () => {
  assert.ok(commonPasswords.size >= 50);
  for (const text of commonPasswords) assert.ok(text.length >= 10 && text === text.toLowerCase(), text);
});
