import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEmail } from './parse-email.ts';

test('accepts an address in any letter case and with spaces around it', () => {
  for (const [text, email] of [
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+Stats@Example.COM\n', 'ada.lovelace+stats@example.com'],
    ['root@localhost', 'root@localhost'],
    ['JU\u0308RGEN@müller.example', 'jürgen@müller.example'],
    [`${'a'.repeat(242)}@example.com`, `${'a'.repeat(242)}@example.com`],
  ] as const) {
    assert.equal(parseEmail(text), email);
    assert.equal(parseEmail(email), email);
  }
});

test('says what was expected instead of an invalid address', () => {
  for (const [text, says] of [
    ['', /such as ada@example\.com, got ""/],
    ['ada', /got "ada"/],
    ['@example.com', /such as/],
    ['ada@', /such as/],
    ['ada@b@example.com', /such as/],
    ['ada lovelace@example.com', /no spaces/],
    ['ada@exam\u0000ple.com', /control characters/],
    ['ada\n@example.com', /control characters/],
    ['ada\u202e@example.com', /control characters/],
    [`${'a'.repeat(243)}@example.com`, /at most 254 characters, got 255/],
  ] as const) {
    const refusal = { name: 'ControlError', reason: 'invalid', field: 'email', message: says };
    assert.throws(() => parseEmail(text), refusal, text);
  }
});
