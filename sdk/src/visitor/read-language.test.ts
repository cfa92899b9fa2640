import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLanguageCode } from '@trackside/contract/tracking/field-rules.ts';
import fc from 'fast-check';
import { readAcceptLanguage, readLanguage } from './read-language.ts';

const fallback = 'pt';

test('shortens a browser’s tag to its two letters', () => {
  const tags = {
    en: 'en',
    'en-US': 'en',
    'EN-us': 'en',
    en_GB: 'en',
    'de-DE-1996': 'de',
    'zh-Hant-TW': 'zh',
    'zh-yue': 'zh',
  };
  const others = {
    'sr-Latn': 'sr',
    'es-419': 'es',
    'de-CH-x-phonebk': 'de',
    ' fr ': 'fr',
    'en_US.UTF-8': 'en',
    'ca@valencia': 'ca',
  };
  for (const [tag, code] of Object.entries({ ...tags, ...others }))
    assert.equal(readLanguage(tag, fallback), code, tag);
});

test('keeps the three codes of Norwegian apart, as they were sent', () => {
  for (const code of ['no', 'nb', 'nn']) assert.equal(readLanguage(`${code}-NO`, fallback), code);
});

test('keeps Tagalog, which Unicode counts as a language of three letters', () => {
  assert.equal(readLanguage('tl-PH', fallback), 'tl');
});

test('replaces codes that are no longer in use', () => {
  const old = { iw: 'he', in: 'id', ji: 'yi', jw: 'jv', mo: 'ro', sh: 'sr', 'iw-IL': 'he', 'in-ID': 'id' };
  for (const [tag, code] of Object.entries(old)) assert.equal(readLanguage(tag, fallback), code, tag);
});

test('knows the two letters of codes with three', () => {
  const long = {
    eng: 'en',
    deu: 'de',
    ger: 'de',
    fra: 'fr',
    fre: 'fr',
    zho: 'zh',
    chi: 'zh',
    ell: 'el',
    nob: 'nb',
    'deu-AT': 'de',
  };
  for (const [tag, code] of Object.entries(long)) assert.equal(readLanguage(tag, fallback), code, tag);
});

test('uses the larger language for a part of it', () => {
  const parts = {
    yue: 'zh',
    'yue-Hant-HK': 'zh',
    cmn: 'zh',
    'zh-cmn-Hans-CN': 'zh',
    arb: 'ar',
    ckb: 'ku',
    'ckb-IQ': 'ku',
    prs: 'fa',
  };
  for (const [tag, code] of Object.entries(parts)) assert.equal(readLanguage(tag, fallback), code, tag);
});

test('falls back if there are no two letters', () => {
  const tags = [
    'fil',
    'fil-PH',
    'gsw-CH',
    'haw',
    'und',
    'mul',
    'qaa',
    'xx',
    'i-klingon',
    'x-private',
    'C',
    'POSIX',
    'english',
  ];
  for (const tag of [undefined, '', ' ', '*', '-', 'e', '12', 'en1', '😀', 'éñ', 'ſk', ...tags]) {
    assert.equal(readLanguage(tag, fallback), fallback, String(tag));
  }
});

test('takes the language with the highest quality', () => {
  const lists = {
    'en-US,en;q=0.9,de;q=0.8': 'en',
    'de;q=0.8, fr;q=0.9, en;q=0.7': 'fr',
    'de;q=0.8,fr;q=0.8': 'de',
    'da, en-GB;q=0.8': 'da',
    'en;q=0.5, de ; Q = 0.7 ': 'de',
    'nl;level=1;q=0.2, sv;q=0.3': 'sv',
    'en;q=1.000': 'en',
  };
  for (const [list, code] of Object.entries(lists))
    assert.equal(readAcceptLanguage(list, fallback), code, list);
});

test('takes the next choice of a visitor whose first has no two letters', () => {
  assert.equal(readAcceptLanguage('fil-PH, en;q=0.8', fallback), 'en');
  assert.equal(readAcceptLanguage('*, de;q=0.5', fallback), 'de');
});

test('falls back if nothing is requested, or if it is refused', () => {
  for (const list of [
    undefined,
    '',
    '*',
    'en;q=0',
    'en;q=0.000, *;q=0.1',
    ',,;',
    'en;q=abc',
    'en;q=2',
    'en;q=-1',
    'en;q=',
    'fil',
  ]) {
    assert.equal(readAcceptLanguage(list, fallback), fallback, String(list));
  }
});

test('returns a code that the interface accepts, whatever was sent', () => {
  const tag = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'abcdefinq-_;=.,*01 '), maxLength: 40 }),
  );
  fc.assert(
    fc.property(tag, (text) => {
      assert.ok(isLanguageCode(readLanguage(text, fallback)));
      assert.ok(isLanguageCode(readAcceptLanguage(text, fallback)));
    }),
    { numRuns: 2000 },
  );
});

test('does not read an endless header to its end', () => {
  assert.equal(readAcceptLanguage(`${'fil,'.repeat(100_000)}en`, fallback), fallback);
  assert.equal(readAcceptLanguage(`en;q=0.5,${'*;q=1,'.repeat(100_000)}`, fallback), 'en');
});
