import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownHost } from './shown-host.ts';

const readable = {
  'xn--mller-kva.example:8080': 'müller.example:8080',
  'www.xn--mller-kva.xn--fiqs8s': 'www.müller.中国',
  'xn--wgv71a119e.jp': '日本語.jp',
  'xn--e1afmkfd.xn--p1ai': 'пример.рф',
  'xn--e1afmkfd.com': 'пример.com',
  'example.com': 'example.com',
  'localhost:3000': 'localhost:3000',
  '[::1]:8080': '[::1]:8080',
};
for (const [host, expected] of Object.entries(readable)) {
  test(`${host} is shown as ${expected}`, () => assert.equal(shownHost(host), expected));
}

const staying = {
  'Latin letters with a Cyrillic one': 'xn--pple-43d.com',
  'only Cyrillic letters that look like Latin ones': 'xn--80ak6aa92e.com',
  'what no label decodes to': 'xn--a.com',
  'letters of two other scripts': 'xn--wxa9v.com',
};
for (const [what, host] of Object.entries(staying)) {
  test(`a host with ${what} stays encoded`, () => assert.equal(shownHost(host), host));
}
