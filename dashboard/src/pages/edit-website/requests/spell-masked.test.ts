import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedTexts } from '@trackside/contract/app/masked-texts.ts';
import { createFormat } from '#format/create-format.ts';
import { accessWords } from '../access-words.ts';
import { accessWordsGerman } from '../access-words-german.ts';
import { listMembers } from './list-members.ts';
import { spellMasked } from './spell-masked.ts';

const english = createFormat({ locale: 'en-US', timeZone: 'UTC' });
const german = createFormat({ locale: 'de-DE', timeZone: 'UTC' });
const inGerman = (text: string) => spellMasked(text, accessWordsGerman.requests, german);

test('says in German what the server wrote in place of a value', () => {
  assert.equal(inGerman(maskedTexts.text(13)), 'Text mit 13 Zeichen');
  assert.equal(inGerman(maskedTexts.text(1)), 'Text mit 1 Zeichen');
  assert.equal(inGerman(maskedTexts.name(41)), 'Name mit 41 Zeichen');
  assert.equal(inGerman(maskedTexts.notJson(12_000)), 'kein JSON, 12.000 Bytes');
  assert.equal(inGerman(`… ${maskedTexts.more(3)}`), '… 3 weitere');
  assert.equal(inGerman('number'), 'Zahl');
});

test('says in English what the server wrote', () => {
  for (const text of [maskedTexts.text(1), maskedTexts.text(2), maskedTexts.name(5), maskedTexts.more(1)])
    assert.equal(spellMasked(text, accessWords.requests, english), text);
});

test('leaves other texts as they are', () => {
  for (const text of ['…', '', 'date', 'text with many characters', 'constructor'])
    assert.equal(inGerman(text), text);
});

test('translates the name of a field only if it is masked', () => {
  const shape = { number: 'number', 'name with 15 characters': ['boolean'] };
  assert.deepEqual(
    listMembers(shape, { empty: 'leer', spell: inGerman }).map(({ name, value }) => [name, value]),
    [
      ['number', 'Zahl'],
      ['Name mit 15 Zeichen', ''],
      ['1.', 'wahr oder falsch'],
    ],
  );
});
