import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { escapeControls } from './escape-controls.ts';

test('escapes whatever controls a terminal, forges a line or hides in one', () => {
  const cases: Record<string, string> = {
    '\u001b[2J': '\\u001b[2J',
    '\u009b31m': '\\u009b31m',
    'a\r\nb\tc\u007f': 'a\\u000d\\u000ab\\u0009c\\u007f',
    'a\u2028b\u2029c': 'a\\u2028b\\u2029c',
    'user\u202etxt.exe\u2066': 'user\\u202etxt.exe\\u2066',
    '\ufeff\u200bzero': '\\ufeff\\u200bzero',
    '\u{e0041}tag': '\\udb40\\udc41tag',
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(escapeControls(text), expected);
});

test('leaves every other letter unchanged', () => {
  for (const text of ['', 'plain', 'München, 東京, Київ, عربي', '🚀 "quoted" \\n'])
    assert.equal(escapeControls(text), text);
});

test('JSON has the same meaning afterwards', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      assert.equal(JSON.parse(escapeControls(JSON.stringify(text))), text);
    }),
  );
});
