import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainToASCII } from 'node:url';
import { shownText } from '@trackside/contract/stats/shown-text.ts';
import fc from 'fast-check';
import { decodePunycode } from './decode-punycode.ts';
import { showHost, showReferrer, showValue } from './show-value.ts';

test('shows pages in readable letters, however they were encoded', () => {
  for (const dimension of ['page', 'entryPage', 'exitPage']) {
    assert.equal(showValue(dimension, '/%C3%BCber-uns'), '/über-uns');
    assert.equal(showValue(dimension, '/%D8%B9%D8%B1%D8%A8%D9%8A'), '/عربي');
    assert.equal(showValue(dimension, '/100%'), '/100%25');
  }
});

test('spells out invisible characters', () => {
  assert.equal(shownText('invoice\u202Efdp.exe'), 'invoice\\u{202e}fdp.exe');
  assert.equal(shownText('pay\u200bpal'), 'pay\\u{200b}pal');
  assert.equal(shownText('a\u200db\u2066c\nd\u0000'), 'a\\u{200d}b\\u{2066}c\\u{a}d\\u{0}');
  assert.equal(showValue('page', '/a%E2%80%AEb'), '/a%E2%80%AEb');
  assert.equal(showValue('page', '/a\u202Eb'), '/a\\u{202e}b');
  assert.equal(showValue('utmCampaign', 'sale\u2069'), 'sale\\u{2069}');
});

test('keeps joiners in emoji and in scripts that need them', () => {
  for (const text of ['👨‍👩‍👧 family', 'می‌خواهم', 'über-uns', '日本語', ''])
    assert.equal(shownText(text), text);
});

test('shows hosts in readable letters, unless they look like other hosts', () => {
  assert.equal(showHost('xn--mller-kva.example:8080'), 'müller.example:8080');
  assert.equal(showHost('xn--e1afmkfd.xn--p1ai'), 'пример.рф');
  assert.equal(showHost('xn--pple-43d.com'), 'xn--pple-43d.com');
  assert.equal(showHost('xn--80ak6aa92e.com'), 'xn--80ak6aa92e.com');
  assert.equal(showHost('xn--.com'), 'xn--.com');
  assert.equal(showValue('source', 'xn--mller-kva.example'), 'müller.example');
  assert.equal(showValue('source', 'Google'), 'Google');
});

test('shortens and decodes referrers, and keeps escapes that separate parts', () => {
  assert.equal(showReferrer('https://www.example.com/'), 'example.com');
  assert.equal(
    showReferrer('https://xn--mller-kva.example/%C3%BC/?q=%C3%A4%26b'),
    'müller.example/ü/?q=ä%26b',
  );
  assert.equal(showReferrer('android-app://com.google.android.gm'), 'android-app://com.google.android.gm');
});

test('decodes what browsers encode', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abcz0-äßéжщ日本한ع') }), (text) => {
      const encoded = domainToASCII(text);
      fc.pre(encoded.startsWith('xn--') && !encoded.includes('.'));
      assert.equal(decodePunycode(encoded.slice(4))?.normalize('NFC'), text.toLowerCase().normalize('NFKC'));
    }),
  );
  assert.equal(decodePunycode('a-!'), undefined);
  assert.equal(decodePunycode('99999999'), undefined);
});
