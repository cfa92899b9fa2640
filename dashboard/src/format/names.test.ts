import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCountryCode, isLanguageCode } from '@trackside/contract/tracking/field-rules.ts';
import { createNames } from './names.ts';

const british = createNames('en-GB');

test('names countries and languages in the reader’s language', () => {
  const german = createNames('de-DE');
  assert.equal(british.country('DE'), 'Germany');
  assert.equal(german.country('DE'), 'Deutschland');
  assert.equal(british.country('XK'), 'Kosovo');
  assert.equal(german.language('fr'), 'Französisch');
});

test('capitalizes the name of a language, even where the reader’s language would not', () => {
  assert.equal(createNames('fr').language('de'), 'Allemand');
});

test('shows an unknown code as it is, and says when there is none', () => {
  assert.equal(british.country('ZQ'), 'ZQ');
  assert.equal(british.country('not a code'), 'not a code');
  assert.equal(british.country(''), 'Unknown');
  assert.equal(british.language(''), 'Unknown');
});

test('says what an empty value means in each dimension', () => {
  assert.equal(british.value('source', ''), 'Direct');
  assert.equal(british.value('city', ''), 'Unknown');
  assert.equal(british.value('parameterValue', ''), 'Empty');
  assert.equal(british.value('country', ''), 'Unknown');
});

test('gives our own codes readable names, and leaves texts unchanged', () => {
  assert.equal(british.value('channel', 'ai'), 'AI assistants');
  assert.equal(british.value('channel', 'paidSearch'), 'Paid search');
  assert.equal(british.value('channel', 'of a later version'), 'of a later version');
  assert.equal(british.value('device', 'mobile'), 'Phone');
  assert.equal(british.value('device', 'unknown'), 'Unknown');
  assert.equal(british.value('continent', 'EU'), 'Europe');
  assert.equal(british.value('weekday', '1'), 'Monday');
  assert.equal(british.value('weekday', '7'), 'Sunday');
  assert.equal(british.value('hour', '09'), '09:00');
  assert.equal(british.value('page', '/pricing'), '/pricing');
});

test('finds codes by the names that the reader sees, those that begin with the text first', () => {
  assert.deepEqual(british.search('country', ' germ'), ['DE']);
  assert.deepEqual(createNames('de').search('country', 'österr'), ['AT']);
  assert.deepEqual(british.search('country', 'united states')?.slice(0, 1), ['US']);
  assert.equal(british.search('country', 'niger')?.[0], 'NE');
  assert.ok(british.search('country', 'unknown')?.includes(''));
  assert.deepEqual(british.search('device', 'phone'), ['mobile']);
  assert.deepEqual(british.search('channel', 'organic s'), ['search', 'social', 'shopping']);
  assert.deepEqual(british.search('country', 'xyzzy'), []);
});

test('offers all countries and languages that the server knows, and no others', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const pairs = letters.flatMap((a) => letters.map((b) => a + b));
  for (const reader of ['en-GB', 'de', 'ja']) {
    const names = createNames(reader);
    const offered = (dimension: string) => names.search(dimension, '')!.toSorted();
    assert.deepEqual(offered('country'), ['', ...pairs.filter(isCountryCode)]);
    const languages = pairs.map((pair) => pair.toLowerCase()).filter(isLanguageCode);
    assert.deepEqual(offered('language'), ['', ...languages]);
  }
});

test('leaves the search to the server where values have no separate names', () => {
  assert.equal(british.search('page', '/pri'), undefined);
});
