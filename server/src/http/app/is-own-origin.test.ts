import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOwnOrigin } from './is-own-origin.ts';

const host = 'stats.example.com';

test('accepts what a page of this host sends', () => {
  assert.ok(isOwnOrigin({ host, origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }));
  assert.ok(isOwnOrigin({ host, origin: `https://${host}` }));
  assert.ok(isOwnOrigin({ host: `${host}:8080`, origin: `http://${host}:8080` }));
  assert.ok(isOwnOrigin({ host, 'sec-fetch-site': 'same-origin' }));
});

test('refuses every other page, and requests that do not name their origin', () => {
  const others = [
    { host, origin: 'https://evil.example' },
    { host, origin: `https://${host}.evil.example` },
    { host, origin: `https://${host}:8443` },
    { host, origin: `https://evil.${host}`, 'sec-fetch-site': 'same-site' as const },
    { host, origin: `https://${host}`, 'sec-fetch-site': 'cross-site' as const },
    { host, origin: 'null' },
    { host, origin: 'not a URL' },
    { host, 'sec-fetch-site': 'none' as const },
    { host },
    { origin: `https://${host}` },
  ];
  for (const headers of others) assert.equal(isOwnOrigin(headers), false, JSON.stringify(headers));
});
