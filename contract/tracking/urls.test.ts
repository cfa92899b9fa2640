import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { pageUrl, referrerUrl } from './field-rules.ts';

test('accepts absolute http and https URLs for the page', () => {
  const pages = ['https://a.test', 'HTTP://A.test/?q=1#f', 'http://[::1]:8080/', 'https://ü.test/ä b'];
  for (const url of pages) assert.equal(pageUrl(url), undefined, url);
});

test('refuses a page without scheme or host, or with another scheme', () => {
  const wrong = ['', '/pricing', 'a.test/', '//a.test/', 'http:a.test', 'http:///a', 'https://', 'http://?a'];
  const others = [
    'ftp://a.test/',
    'javascript:alert(1)',
    'data:text/html,x',
    ' https://a.test',
    'http:\\\\a',
  ];
  for (const url of [...wrong, ...others, 'https://a b/', 'https://a:99999/', null, 5, ['https://a.test']]) {
    assert.ok(pageUrl(url), String(url));
  }
});

test('accepts any scheme with a host, or nothing, for the referrer', () => {
  const referrers = [
    '',
    'android-app://com.google.android.gm/',
    'https://www.google.com/',
    'chrome-extension://abc',
  ];
  for (const url of referrers) assert.equal(referrerUrl(url), undefined, url);
  for (const url of ['about:blank', 'google.com', 'mailto:a@b.test', '://a', ' ', 1])
    assert.ok(referrerUrl(url));
});

test('measures the length in UTF-16 code units', () => {
  assert.equal(pageUrl('https://a.test/'.padEnd(8192, 'ä')), undefined);
  assert.ok(pageUrl('https://a.test/'.padEnd(8193, 'ä')));
  assert.equal(referrerUrl('x-app://a/'.padEnd(8192, 'a')), undefined);
  assert.ok(referrerUrl('x-app://a/'.padEnd(8193, 'a')));
});

test('agrees with the URL parser on ordinary URLs', () => {
  const label = fc.stringMatching(/^[a-z0-9-]{1,8}$/);
  const special = fc.constantFrom('xn--', 'xn--a', 'xn--80ak6aa92e', '-', '1', '0x7f', '999');
  const host = fc
    .array(fc.oneof(label, special), { minLength: 1, maxLength: 4 })
    .map((labels) => labels.join('.'));
  const path = fc.constantFrom(
    '',
    '/',
    '/a?b=%zz#c',
    '/{}|^`"<>\\',
    '/a b',
    '/ä',
    '?q',
    ':80',
    ':99999/',
    '@b.test/',
  );
  fc.assert(
    fc.property(host, path, (name, rest) => {
      const url = `https://${name}${rest}`;
      assert.equal(pageUrl(url) === undefined, URL.canParse(url), url);
    }),
    { numRuns: 2000 },
  );
});

test('does not repeat the URL', () => {
  assert.equal(pageUrl('secret.test/token')!.got, 'a string of 17 characters');
  assert.equal(referrerUrl('secret.test/token')!.got, 'a string of 17 characters');
});
