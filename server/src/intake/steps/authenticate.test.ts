import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, openTestControl, silentLog } from '../../control/test-control.ts';
import { hashApiKey } from '../../control/websites/hash-api-key.ts';
import { openWebsiteCache } from '../../control/websites/website-cache.ts';
import { createAuthenticate } from './authenticate.ts';

test('finds the website of a key, and answers everything else in the same way', async (t) => {
  const { control } = await openTestControl(t);
  const { website, apiKey } = await control.websites.add({
    domain: 'example.com',
    timezone: 'UTC',
    contingent: null,
  });
  const { apiKey: other } = await control.websites.add({ domain: 'b.test', timezone: 'UTC', contingent: 5 });
  const gone = other;
  await control.websites.regenerateKey(2);
  const websiteCache = await openWebsiteCache({
    control,
    clock: createFakeClock('2026-03-10T09:00:00Z'),
    intervalMs: 1000,
    settleMs: 0,
    log: silentLog(),
  });
  t.after(() => websiteCache.stop());
  const nowMs = Date.parse('2026-03-10T09:00:00Z');
  const keyUsedAtMs = new Map<string, number>();
  const authenticate = createAuthenticate(websiteCache.apiKeys, keyUsedAtMs);
  const messageOf = (key: string | undefined): string => {
    const result = authenticate(key, nowMs);
    assert.ok('refused' in result, `expected a refusal of ${key}`);
    assert.equal(result.refused, 'unauthorized');
    return result.message;
  };

  await t.test('finds the website', () => {
    const found = authenticate(apiKey, nowMs);
    assert.ok(!('refused' in found));
    assert.equal(found.website.id, website.id);
    assert.deepEqual([...keyUsedAtMs], [[hashApiKey(apiKey), nowMs]]);
  });
  await t.test('answers the same for a key that is missing, empty, unknown, almost right or replaced', () => {
    const almost = `${apiKey.slice(0, -1)}${apiKey.endsWith('A') ? 'B' : 'A'}`;
    const wrong = ['', 'x', almost, apiKey.toLowerCase(), `${apiKey}=`, gone, 'A'.repeat(10_000), '\u00ff'];
    const messages = new Set([undefined, ...wrong].map(messageOf));
    assert.deepEqual(
      [...messages],
      ['Unauthorized: send the API key of the website as the value of the Authorization header'],
    );
  });
  await t.test('accepts a replaced key until its time is up, to the millisecond', async () => {
    const { apiKey: newKey } = await control.websites.regenerateKey(1, { keepOldMs: 1000 });
    await websiteCache.refresh();
    const endsMs = websiteCache.apiKeys.get(hashApiKey(apiKey))?.expiresAt;
    assert.ok(endsMs);
    const isTaken = (key: string, atMs: number) => !('refused' in authenticate(key, atMs));
    assert.deepEqual([isTaken(apiKey, endsMs - 1), isTaken(newKey, endsMs - 1)], [true, true]);
    assert.deepEqual([isTaken(apiKey, endsMs), isTaken(newKey, endsMs)], [false, true]);
  });
  await t.test('hints at a prefix in front of a key, right or wrong', () => {
    for (const key of [apiKey, 'x']) {
      assert.match(messageOf(`Bearer ${key}`), /without "Bearer" in front$/);
      assert.match(messageOf(`basic ${key}`), /without "Basic" in front$/);
      assert.match(messageOf(`Authorization: ${key}`), /without "Authorization:" in front of it$/);
    }
    assert.ok(!messageOf(`Bearer ${apiKey}`).includes(apiKey));
  });
});
