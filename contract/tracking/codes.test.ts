import assert from 'node:assert/strict';
import { test } from 'node:test';
import { continentCode, countryCode, languageCode, spellRuleFault } from './field-rules.ts';

test('accepts language and country codes in any letter case, and continent codes in uppercase', () => {
  for (const code of ['de', 'DE', 'dE', 'zu']) assert.equal(languageCode(code), undefined);
  for (const code of ['DE', 'de', 'XK', 'xk', 'zw']) assert.equal(countryCode(code), undefined);
  for (const code of ['AF', 'NA', 'OC', 'AN', 'AS', 'EU', 'SA']) assert.equal(continentCode(code), undefined);
  assert.ok(continentCode('eu'));
});

test('refuses codes that mean unknown, are not assigned, or come from another list', () => {
  for (const code of ['XX', 'T1', 'EU', 'UK', 'ZZ', 'DEU', '', ' DE']) assert.ok(countryCode(code), code);
  for (const code of ['xx', 'deu', '', 'd', 'sh', 'de ']) assert.ok(languageCode(code), code);
});

test('refuses letters that only look or fold like a code', () => {
  for (const code of ['\u212Aa', 'ｄｅ', 'dé', 'ﬁ']) assert.ok(languageCode(code), code);
  for (const code of ['u\u017F', '\u0131t', 'ＤＥ', '\u212AR']) assert.ok(countryCode(code), code);
});

test('finds the language to send for a locale', () => {
  assert.equal(
    spellRuleFault(languageCode('EN-us')!),
    'expected an ISO 639-1 code of two letters, got "EN-us"; send "en"',
  );
  assert.equal(languageCode('pt_BR')!.advice, 'send "pt"');
  assert.equal(languageCode('xx-US')!.advice, undefined);
  assert.equal(languageCode('english')!.advice, undefined);
});

test('shows a code only if it is short and consists of letters, digits and dashes', () => {
  assert.equal(countryCode('Deutschland')!.got, '"Deutschland"');
  assert.equal(countryCode('a'.repeat(16))!.got, `"${'a'.repeat(16)}"`);
  assert.equal(countryCode('a'.repeat(17))!.got, 'a string of 17 characters');
  assert.equal(countryCode('203.0.113.7')!.got, 'a string of 11 characters');
  assert.equal(countryCode('2001:db8::7')!.got, 'a string of 11 characters');
  assert.equal(countryCode('𐐀'.repeat(9))!.got, 'a string of 18 characters');
  assert.equal(continentCode(7)!.got, 'a number');
});
