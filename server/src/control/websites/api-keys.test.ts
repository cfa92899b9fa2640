import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { hashApiKey } from './hash-api-key.ts';

const dayMs = 86_400_000;

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { website, apiKey } = await control.websites.add({
    domain: 'a.test',
    timezone: 'UTC',
    contingent: null,
  });
  const keys = async () => (await control.websites.cacheRows())[0]!.keys;
  return { clock, control, id: website.id, apiKey, keys };
}

test('a regenerated key replaces the old one at once', async (t) => {
  const { control, id, apiKey, keys } = await open(t);
  const { apiKey: next } = await control.websites.regenerateKey(id);
  assert.notEqual(next, apiKey);
  assert.deepEqual(await keys(), [{ hash: hashApiKey(next), expiresAt: null }]);
  assert.equal(await control.websites.apiKey(id), next);
  assert.equal((await control.websites.keyFacts(id)).oldKeyUntil, null);
});

test('the old key can be kept for a day, and the new one is shown', async (t) => {
  const { clock, control, id, apiKey, keys } = await open(t);
  const { apiKey: next } = await control.websites.regenerateKey(id, { keepOldMs: dayMs });
  const until = clock.now() + dayMs;
  assert.deepEqual(
    new Set(await keys()),
    new Set([
      { hash: hashApiKey(apiKey), expiresAt: until },
      { hash: hashApiKey(next), expiresAt: null },
    ]),
  );
  assert.equal(await control.websites.apiKey(id), next);
  assert.equal((await control.websites.keyFacts(id)).oldKeyUntil, until);
  clock.pass(dayMs);
  assert.equal((await control.websites.keyFacts(id)).oldKeyUntil, null);
});

test('keeps at most one old key, and none once a new one takes effect at once', async (t) => {
  const { control, id, keys } = await open(t);
  for (let times = 0; times < 3; times += 1) await control.websites.regenerateKey(id, { keepOldMs: dayMs });
  assert.equal((await keys()).length, 2);
  await control.websites.regenerateKey(id);
  assert.equal((await keys()).length, 1);
});

test('remembers when a key was used', async (t) => {
  const { clock, control, id } = await open(t);
  const { keyHash, lastUsedAt } = await control.websites.keyFacts(id);
  assert.equal(lastUsedAt, null);
  await control.websites.markKeysUsed([{ keyHash, atMs: clock.now() }]);
  assert.equal((await control.websites.keyFacts(id)).lastUsedAt, clock.now());
});

test('a website that does not exist has no key', async (t) => {
  const { control } = await open(t);
  for (const ask of [control.websites.apiKey, control.websites.keyFacts, control.websites.regenerateKey])
    await assert.rejects(ask(99), { reason: 'not-found' });
});
