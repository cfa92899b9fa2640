import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isOwnPage, judgeSender, readListedOrigins, type Sender } from './same-origin.ts';
import { makeIncoming } from './test-incoming.ts';

const own = 'http://shop.example';
const listed = readListedOrigins(['https://www.shop.example', 'https://app.example:8443/']);

describe('whose page sent a request', () => {
  const cases: [string, Record<string, string>, Sender['kind']][] = [
    ['the browser says it is the same origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }, 'own'],
    [
      'the browser says another site, whatever the origin',
      { 'sec-fetch-site': 'cross-site', origin: own },
      'foreign',
    ],
    ['the browser says another host of the site', { 'sec-fetch-site': 'same-site', origin: own }, 'foreign'],
    [
      'a listed origin of another site',
      { 'sec-fetch-site': 'cross-site', origin: 'https://app.example:8443' },
      'listed',
    ],
    ['the same host behind TLS', { origin: 'https://shop.example' }, 'own'],
    ['another port', { origin: 'https://shop.example:8443' }, 'foreign'],
    ['a host that only begins alike', { origin: 'https://shop.example.evil.example' }, 'foreign'],
    ['no origin, but a page of ours as referrer', { referer: 'https://shop.example/a?b' }, 'own'],
    [
      'no origin, but a page elsewhere as referrer',
      { referer: 'https://evil.example/shop.example' },
      'foreign',
    ],
    [
      'a sandboxed page with a referrer of ours',
      { origin: 'null', referer: 'https://shop.example/' },
      'foreign',
    ],
    ['the visitor’s own doing, from a page of ours', { 'sec-fetch-site': 'none', origin: own }, 'own'],
    ['nothing', {}, 'foreign'],
    ['an origin that is none', { origin: 'shop.example' }, 'foreign'],
  ];
  for (const [name, headers, kind] of cases) {
    test(`${name}: ${kind}`, () => {
      assert.equal(judgeSender(makeIncoming({ headers }), own, listed).kind, kind);
    });
  }
});

describe('which pages are counted', () => {
  const sender = { kind: 'own', host: 'visible.example' } as const;
  for (const [page, isOwn] of [
    ['https://shop.example/a', true],
    ['https://visible.example/a', true],
    ['https://SHOP.example/a', true],
    ['http://app.example:8443/a', true],
    ['https://app.example/a', false],
    ['https://evil.example/https://shop.example', false],
    ['https://shop.example@evil.example/', false],
    ['nonsense', false],
  ] as const) {
    test(`${page} ${isOwn ? 'is' : 'is not'}`, () => {
      assert.equal(isOwnPage(page, sender, own, listed), isOwn);
    });
  }
});

describe('the list of origins', () => {
  for (const text of [
    'shop.example',
    'https://*.shop.example',
    'https://shop.example/a',
    'ftp://shop.example',
    '',
    'null',
  ]) {
    test(`refuses "${text}"`, () => {
      assert.throws(() => readListedOrigins([text]), /origins\[0\]: expected an origin such as/);
    });
  }
});
