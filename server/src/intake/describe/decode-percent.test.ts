import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { decodePercent } from './decode-percent.ts';

test('removes one layer of encoding', () => {
  assert.equal(decodePercent('%E2%82%AC%2540'), '€%40');
});

test('decodes the escapes of a badly encoded text, and leaves the rest unchanged', () => {
  assert.equal(decodePercent('\u{45409}%40doe.org%'), '\u{45409}@doe.org%');
  assert.equal(decodePercent('ü%zz%C3%BC%4'), 'ü%zzü%4');
  assert.equal(decodePercent('%FF%41'), '\uFFFDA');
});

test('restores whatever was encoded', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter }).map((text) => text.toWellFormed()),
      (text) => {
        assert.equal(decodePercent(encodeURIComponent(text)), text);
        assert.equal(decodePercent(`${encodeURIComponent(text)}%`), `${text}%`);
      },
    ),
  );
});
