import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatWords } from '#format/format-words.ts';
import { formatWordsGerman } from '#format/format-words-german.ts';
import { spellDevice } from './spell-device.ts';

test('names a browser and its system in the language of the page', () => {
  assert.equal(spellDevice('Firefox on Linux', formatWords), 'Firefox on Linux');
  assert.equal(spellDevice('Firefox on Linux', formatWordsGerman), 'Firefox auf Linux');
});

test('leaves a device unchanged if only its browser or its system is known', () => {
  assert.equal(spellDevice('Linux', formatWordsGerman), 'Linux');
  assert.equal(spellDevice(null, formatWordsGerman), undefined);
});
