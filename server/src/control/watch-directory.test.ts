import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashApiKey } from './hash-api-key.ts';
import { createTestLog, openTestControl, silentLog } from './test-control.ts';
import { watchDirectory } from './watch-directory.ts';

const input = { domain: 'example.com', timezone: 'UTC', contingent: 10 };
const wait = { interval: 5, timeout: 5_000 };

test('sees what another connection adds, changes and regenerates', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { control: other } = await openTestControl(t, { folder });
  const directory = await watchDirectory({ control, intervalMs: 10, log: silentLog() });
  t.after(() => directory.stop());
  assert.equal(directory.count(), 0);

  const { website, apiKey } = await other.websites.add(input);
  await t.waitFor(() => assert.equal(directory.count(), 1), wait);
  const entry = directory.findByKeyHash(hashApiKey(apiKey));
  assert.equal(entry, directory.get(website.id));
  assert.deepEqual(entry, { ...website, clientIdKey: (await other.websites.directory())[0]?.clientIdKey });

  await other.websites.setContingent(website.id, 20);
  await t.waitFor(() => assert.equal(directory.get(website.id)?.contingent, 20), wait);

  const { apiKey: newKey } = await other.websites.regenerateKey(website.id);
  await t.waitFor(() => assert.ok(directory.findByKeyHash(hashApiKey(newKey))), wait);
  assert.equal(directory.findByKeyHash(hashApiKey(apiKey)), undefined);
});

test('knows the websites that were there before', async (t) => {
  const { control } = await openTestControl(t);
  const { apiKey } = await control.websites.add(input);
  const directory = await watchDirectory({ control, intervalMs: 60_000, log: silentLog() });
  t.after(() => directory.stop());
  assert.equal(directory.findByKeyHash(hashApiKey(apiKey))?.domain, 'example.com');
  assert.equal(directory.findByKeyHash(hashApiKey('another key')), undefined);
});

test('keeps the last view while the database fails, says so once, and recovers', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add(input);
  const { log, messages } = createTestLog();
  let isBroken = false;
  let failures = 0;
  const faulty = {
    websites: control.websites,
    async revision() {
      if (!isBroken) return await control.revision();
      failures++;
      throw new Error('disk on fire');
    },
  };
  const directory = await watchDirectory({ control: faulty, intervalMs: 5, log });
  t.after(() => directory.stop());

  isBroken = true;
  await control.websites.add({ ...input, domain: 'other.example' });
  await t.waitFor(() => assert.ok(failures >= 3), wait);
  assert.equal(directory.count(), 1);
  isBroken = false;
  await t.waitFor(() => assert.equal(directory.count(), 2), wait);
  await t.waitFor(() => assert.equal(messages.length, 2), wait);
  assert.deepEqual(messages, [
    'websites cannot be read: going on with the last view',
    'websites can be read again',
  ]);
});
