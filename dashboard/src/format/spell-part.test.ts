import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from './create-format.ts';
import { spellPart } from './spell-part.ts';

const format = createFormat({ locale: 'en-US', timeZone: 'UTC' });

test('a part is in percent, with one digit after the point', () => {
  assert.equal(spellPart(12, 1_000, format), '1.2%');
  assert.equal(spellPart(1, 2, format), '50.0%');
});

test('nothing and everything are whole', () => {
  assert.equal(spellPart(0, 1_000, format), '0%');
  assert.equal(spellPart(1_000, 1_000, format), '100%');
});

test('one record of a million is not nothing, and all but one are not everything', () => {
  assert.equal(spellPart(1, 1_000_000, format), '<0.1%');
  assert.equal(spellPart(999_999, 1_000_000, format), '99.9%');
});
