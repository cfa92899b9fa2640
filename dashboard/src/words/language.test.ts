import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickLanguage, pickLocale } from './language.ts';

test('picks the first of the browser’s languages that the pages have', () => {
  assert.equal(pickLanguage(['de-AT', 'en']), 'de');
  assert.equal(pickLanguage(['fr', 'EN-gb', 'de']), 'en');
  assert.equal(pickLanguage(['den', 'fr']), 'en', 'Slavey is not German');
  assert.equal(pickLanguage([]), 'en');
});

test('formats numbers and dates for the reader’s country, in the language of the page', () => {
  assert.equal(pickLocale('en', ['de-DE', 'en-GB']), 'en-GB');
  assert.equal(pickLocale('de', ['fr', 'de-CH']), 'de-CH');
  assert.equal(pickLocale('en', ['ar-EG']), 'en-US', 'digits and words are of one language');
  assert.equal(pickLocale('de', ['en']), 'de-DE');
});

test('ignores a name that Intl does not know', () => {
  assert.equal(pickLanguage(['en-US@posix', 'de']), 'en');
  assert.equal(pickLocale('en', ['en-US@posix', 'en-AU']), 'en-AU');
  assert.equal(pickLocale('en', ['C']), 'en-US');
});
