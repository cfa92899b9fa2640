import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl, silentLog } from '../test-control.ts';
import { createKeyLookUp } from './create-key-look-up.ts';
import { hashApiKey } from './hash-api-key.ts';
import { openWebsiteCache } from './website-cache.ts';

const input = { domain: 'example.com', timezone: 'UTC', contingent: null };
const madeUp = () => randomBytes(32).toString('base64url');

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  const { control: other } = await openTestControl(t, { clock, folder });
  // It never polls during a test.
  const cacheOptions = { control, clock, intervalMs: 60_000, settleMs: 0, log: silentLog() };
  const websiteCache = await openWebsiteCache(cacheOptions);
  t.after(() => websiteCache.stop());
  const asked: string[] = [];
  const websites = {
    hasKey(keyHash: string) {
      asked.push(keyHash);
      return control.websites.hasKey(keyHash);
    },
  };
  const keys = createKeyLookUp({ websites, websiteCache, clock });
  return { clock, control, other, websiteCache, asked, keys };
}

test('finds a key that another process has just created, and knows it from then on', async (t) => {
  const { other, websiteCache, keys } = await open(t);
  const { apiKey } = await other.websites.add(input);
  assert.equal(await keys.lookUp(apiKey), 'known');
  assert.equal(websiteCache.apiKeys.get(hashApiKey(apiKey))?.website.domain, 'example.com');
  assert.equal(keys.canLookUp(apiKey), false);
});

test('does not find the key of a website that is being deleted', async (t) => {
  const { other, keys } = await open(t);
  const { website, apiKey } = await other.websites.add(input);
  await other.deletions.begin(website.id);
  assert.equal(await keys.lookUp(apiKey), 'unknown');
});

test('looks for a wrong key once, however often it is sent, and never for a text that is not a key', async (t) => {
  const { asked, keys } = await open(t);
  const wrong = madeUp();
  assert.equal(keys.canLookUp(wrong), true);
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => keys.lookUp(wrong))), [
    'unknown',
    'unknown',
    'unknown',
  ]);
  assert.deepEqual(asked, [hashApiKey(wrong)]);
  for (const text of [wrong, undefined, '', 'wrong', `Bearer ${madeUp()}`, `${madeUp()}x`])
    assert.equal(keys.canLookUp(text), false);
});

test('looks for 20 made-up keys at once, and for 20 more per second', async (t) => {
  const { asked, clock, keys } = await open(t);
  const flood = async () => {
    for (let at = 0; at < 100; at++) {
      const key = madeUp();
      if (keys.canLookUp(key)) await keys.lookUp(key);
    }
  };
  await flood();
  assert.equal(asked.length, 20);
  clock.pass(500);
  await flood();
  assert.equal(asked.length, 30);
  clock.pass(60_000);
  await flood();
  assert.equal(asked.length, 50);
});

test('calls no key wrong while the database is away', async (t) => {
  const { control, keys } = await open(t);
  await control.close();
  for (let at = 0; at < 30; at++) {
    const key = madeUp();
    assert.equal(keys.canLookUp(key), true);
    assert.equal(await keys.lookUp(key), 'away');
  }
});
