import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../server/test/support/any-character.ts';
import { hosts } from './test-hosts.ts';
import { browserPost, collected, send } from './test-request.ts';
import { createTestTracker } from './test-tracker.ts';

const deep = (text: string) => text.repeat(8000);
const fixed = [
  'null',
  '0',
  '"x"',
  '\u0000',
  '{',
  '{}',
  '[[]]',
  '\uFEFF{}',
  deep('['),
  deep('{"a":'),
  deep('"'),
  `{"__proto__":{"Absolute":"https://shop.example/"}}`,
  `{"Absolute":"https://shop.example/","constructor":1,"Parameters":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  JSON.stringify({ ...collected, Name: {}, Parameters: { ['__proto__']: {}, a: null } }),
  JSON.stringify({ ...collected, Name: 'x', Parameters: { length: 3, 0: 'a' } }),
  JSON.stringify({ ...collected, ScreenWidth: -1, ScreenHeight: 1e300, Language: {}, Referrer: ['x'] }),
];
const near = fc.record(
  {
    ScreenWidth: fc.oneof(fc.double(), fc.anything()),
    ScreenHeight: fc.oneof(fc.double(), fc.anything()),
    Language: fc.oneof(fc.string({ unit: anyCharacter }), fc.anything()),
    Referrer: fc.oneof(fc.webUrl(), fc.string(), fc.anything()),
    Absolute: fc.oneof(fc.constant(collected.Absolute), fc.webUrl(), fc.string()),
    Name: fc.oneof(fc.string({ unit: anyCharacter }), fc.anything()),
    Parameters: fc.oneof(fc.dictionary(fc.string(), fc.anything()), fc.array(fc.anything()), fc.anything()),
  },
  { requiredKeys: [] },
);
const bodies = fc.oneof(
  fc.constantFrom(...fixed),
  fc.json(),
  fc.string({ unit: anyCharacter }),
  near.map((value) => {
    try {
      return JSON.stringify(value);
    } catch {
      return '';
    }
  }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const hostNames = ['a/b?c', '[::1', 'x:99999', '@', 'user@shop.example', '.0', '1.2.3.999'];
const texts = fc.stringMatching(/^[!-~]{0,40}$/);
const headers = fc.record(
  {
    Host: fc.oneof(texts, fc.constantFrom(...hostNames)),
    Origin: fc.oneof(texts, fc.constantFrom('null', 'http://', 'https://shop.example:99999')),
    Referer: texts,
    'Sec-Fetch-Site': fc.constantFrom('same-origin', 'none', 'cross-site', 'x'),
    'Content-Type': fc.oneof(
      texts,
      fc.constantFrom('', ';', 'application/json', 'multipart/form-data', 'a/b; c'),
    ),
    'X-Forwarded-For': fc.oneof(texts, fc.constantFrom(',,,', '::ffff:1.2.3.4', '1.2.3.4, 192.0.2.1')),
    'X-Forwarded-Host': texts,
    'If-None-Match': texts,
    'User-Agent': fc.string({ unit: fc.integer({ min: 128, max: 255 }).map((n) => String.fromCharCode(n)) }),
  },
  { requiredKeys: [] },
);
const methods = fc.constantFrom('POST', 'POST', 'POST', 'POST', 'OPTIONS', 'DELETE');

describe('whatever arrives', () => {
  for (const host of hosts) {
    test(`${host.name} never answers with an error of ours`, async () => {
      const { trackside } = createTestTracker();
      const faults: unknown[] = [];
      const { port, close } = await host.open({
        trackside,
        proxies: { hops: 1 },
        rateLimit: false,
        onError: (fault) => faults.push(fault),
      });
      const check = async (method: string, body: string | Buffer, more: Record<string, string>) => {
        const { status } = await send(port, { ...browserPost('', more), method, body });
        assert.ok(status < 500 && status !== 415, `${status}`);
      };
      try {
        for (const body of fixed) await check('POST', body, {});
        for (const Host of hostNames) {
          await check('POST', '{}', { Host });
          const page = await send(port, { path: '/page', headers: { Host, Accept: 'text/html' } });
          assert.ok(page.status < 500, `${page.status} for a page of ${Host}`);
        }
        await fc.assert(
          fc.asyncProperty(methods, bodies, headers, async (method, body, more) => check(method, body, more)),
          { numRuns: 60 },
        );
        // Only settings that cannot work may be reported.
        for (const fault of faults) assert.match(String(fault), /^Error: (proxies|Requests come)/);
      } finally {
        await close();
      }
    });
  }
});
