import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testKey } from '../../record/test-metrics.ts';
import { readOptions } from './read-options.ts';
import type { TracksideOptions } from './trackside-options.ts';

const good: TracksideOptions = { url: 'https://trackside.example', apiKey: testKey };
const read = (changes: object) => readOptions({ ...good, ...changes });

for (const [url, base] of [
  ['https://trackside.example', 'https://trackside.example'],
  ['https://trackside.example/', 'https://trackside.example'],
  ['http://10.0.0.7:8080', 'http://10.0.0.7:8080'],
  ['https://shop.example/stats//', 'https://shop.example/stats'],
] as const) {
  test(`accepts ${url} as an address`, () => assert.equal(read({ url }).url, base));
}

for (const [what, url, says] of [
  [
    'no address',
    undefined,
    /url: expected an http or https URL .* got nothing\. Is its environment variable set/,
  ],
  ['an empty address', '', /url: expected .* got an empty string\. Is its environment variable set/],
  ['an address without a scheme', 'trackside.example', /expected an http or https URL/],
  ['another scheme', 'ftp://trackside.example', /expected an http or https URL/],
  ['a key in place of the address', testKey, /expected an http or https URL/],
  ['a user name in the address', 'https://me:secret@trackside.example', /without a user name/],
  ['a query in the address', 'https://trackside.example/?a=b', /without \? or #/],
  ['a fragment in the address', 'https://trackside.example/#a', /without \? or #/],
] as const) {
  test(`refuses ${what}, without repeating it`, () => {
    assert.throws(
      () => read({ url }),
      (error: Error) => {
        assert.match(error.message, says);
        assert.ok(!error.message.includes(testKey) && !error.message.includes('secret'));
        return true;
      },
    );
  });
}

for (const [what, apiKey, says] of [
  ['no key', undefined, /apiKey: expected the website's API key, got nothing/],
  ['an empty key', '', /got an empty string/],
  ['a key behind Bearer', `Bearer ${testKey}`, /something in front of it/],
  ['a key behind the name of the header', `Authorization: ${testKey}`, /something in front of it/],
  ['a key with a line break', `${testKey}\n`, /whitespace/],
  ['a key between spaces', ` ${testKey}`, /whitespace/],
  ['a key outside ASCII', `${testKey}é`, /characters that API keys don't have/],
] as const) {
  test(`refuses ${what}, without repeating it`, () => {
    assert.throws(
      () => read({ apiKey }),
      (error: Error) => {
        assert.match(error.message, says);
        assert.ok(!error.message.includes(testKey));
        return true;
      },
    );
  });
}

for (const [name, changes] of [
  ['timeoutMs', { timeoutMs: 0 }],
  ['timeoutMs', { timeoutMs: 200_000 }],
  ['timeoutMs', { timeoutMs: '10' }],
  ['retries', { retries: -1 }],
  ['retries', { retries: 1.5 }],
  ['queue.maxRecords', { queue: { maxRecords: 0 } }],
  ['queue.maxBytes', { queue: { maxBytes: 10 } }],
  ['queue.maxAgeMs', { queue: { maxAgeMs: Number.NaN } }],
  ['queue.concurrency', { queue: { concurrency: Number.POSITIVE_INFINITY } }],
  ['queue', { queue: null }],
  ['queue', { queue: 5 }],
  ['queue.disk', { queue: { disk: '/var/lib/shop/trackside' } }],
  ['queue.disk', { queue: { disk: {} } }],
  ['onError', { onError: 'log' }],
  ['waitUntil', { waitUntil: {} }],
  ['fetch', { fetch: true }],
] as const) {
  test(`refuses ${name} of ${JSON.stringify(changes)}`, () => {
    assert.throws(() => read(changes), { message: new RegExp(`^Trackside: ${name}: expected `) });
  });
}

for (const options of [undefined, null, 'https://trackside.example']) {
  test(`refuses ${JSON.stringify(options)} instead of options`, () => {
    assert.throws(() => readOptions(options as unknown as TracksideOptions), {
      message: /^Trackside: options: expected \{ url, apiKey \}, got /,
    });
  });
}
