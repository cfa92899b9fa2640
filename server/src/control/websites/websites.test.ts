import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { filesHolding, runSql } from '../test-database.ts';
import { hashApiKey } from './hash-api-key.ts';

const input = { domain: 'example.com', timezone: 'UTC', contingent: null };

test('adds a website with normalized values', async (t) => {
  const { control } = await openTestControl(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const { website, apiKey } = await control.websites.add({
    domain: 'WWW.Example.com',
    timezone: 'europe/berlin',
    contingent: 500,
  });
  const createdAt = Date.parse('2026-03-10T09:00:00Z');
  assert.deepEqual(website, {
    id: 1,
    domain: 'www.example.com',
    timezone: 'Europe/Berlin',
    contingent: 500,
    createdAt,
    name: 'www.example.com',
    version: 1,
    retentionDays: null,
    readOrigins: [],
    exclusions: [],
    deletingSince: null,
    ignoreTrailingSlash: false,
    ignoreCase: false,
    ignoreWww: false,
  });
  assert.match(apiKey, /^[\w-]{43}$/);
  assert.deepEqual(await control.websites.list(), [website]);
  assert.deepEqual(await control.websites.find('1'), website);
  assert.deepEqual(await control.websites.find('www.EXAMPLE.com'), website);
  assert.equal(await control.websites.find('2'), undefined);
  assert.equal(await control.websites.find('other.example'), undefined);
});

test('adds nothing when the domain, timezone or contingent is wrong', async (t) => {
  const { control } = await openTestControl(t);
  for (const wrong of [{ domain: 'a b' }, { timezone: 'Nowhere' }, { contingent: -1 }]) {
    await assert.rejects(control.websites.add({ ...input, ...wrong }), { reason: 'invalid' });
  }
  assert.deepEqual(await control.websites.list(), []);
  assert.equal(await control.revision(), 0);
});

test('shortens the name if the domain is longer than a name may be', async (t) => {
  const { control } = await openTestControl(t);
  const domain = `${'long-'.repeat(11)}shop.${'part.'.repeat(10)}example.com`;
  const { website } = await control.websites.add({ ...input, domain });
  assert.equal(website.domain, domain);
  assert.equal([...website.name].length, 100);
  assert.match(website.name, /^long-.*…$/);
});

test('lets exactly one of several connections add the same domain', async (t) => {
  const hasOwnThread = true;
  const { control, folder } = await openTestControl(t, { hasOwnThread });
  const others = await Promise.all([1, 2, 3].map(() => openTestControl(t, { folder, hasOwnThread })));
  const controls = [control, ...others.map((other) => other.control)];
  const results = await Promise.allSettled(controls.map(({ websites }) => websites.add(input)));
  const refusals = results.filter((result) => result.status === 'rejected');
  assert.equal(refusals.length, 3);
  for (const { reason } of refusals) assert.equal(reason.reason, 'already-exists');
  assert.equal((await control.websites.list()).length, 1);
  assert.equal(await control.revision(), 1);
});

test('forgets the old key when a new one is created', async (t) => {
  const { control } = await openTestControl(t);
  const { website, apiKey: oldKey } = await control.websites.add(input);
  const { apiKey } = await control.websites.regenerateKey(website.id);
  assert.notEqual(apiKey, oldKey);
  assert.equal(await control.websites.apiKey(website.id), apiKey);
  const [row] = await control.websites.cacheRows();
  assert.deepEqual(row?.keys, [{ hash: hashApiKey(apiKey), expiresAt: null }]);
});

test('reports an unknown website', async (t) => {
  const { control } = await openTestControl(t);
  const refusal = { reason: 'not-found', message: /Website 7/ };
  await assert.rejects(control.websites.regenerateKey(7), refusal);
  await assert.rejects(control.websites.apiKey(7), refusal);
  await assert.rejects(control.websites.update(7, { contingent: 1 }), refusal);
  assert.equal(await control.revision(), 0);
});

test('raises the revision for every change that a node must see', async (t) => {
  const { control } = await openTestControl(t);
  const { website } = await control.websites.add(input);
  assert.equal(await control.revision(), 1);
  await control.websites.regenerateKey(website.id);
  assert.equal(await control.revision(), 2);
  assert.equal((await control.websites.update(website.id, { contingent: 5 })).contingent, 5);
  assert.equal(await control.revision(), 3);
  assert.equal((await control.websites.update(website.id, { contingent: null })).contingent, null);
});

test('gives every website its own secret, which stays the same after a restart', async (t) => {
  const { control, folder } = await openTestControl(t);
  await control.websites.add(input);
  await control.websites.add({ ...input, domain: 'other.example' });
  const before = (await control.websites.cacheRows()).map((row) => row.clientIdKey.toString('hex'));
  assert.equal(new Set(before).size, 2);
  assert.match(before[0] ?? '', /^[0-9a-f]{64}$/);
  await control.close();
  const { control: again } = await openTestControl(t, { folder });
  const after = (await again.websites.cacheRows()).map((row) => row.clientIdKey.toString('hex'));
  assert.deepEqual(after, before);
});

test('writes neither plain API keys nor website secrets to any file', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { website, apiKey } = await control.websites.add(input);
  const { apiKey: secondKey } = await control.websites.regenerateKey(website.id);
  const [row] = await control.websites.cacheRows();
  // The hash is stored, and it is found. So the search works.
  assert.equal((await filesHolding(folder, hashApiKey(secondKey))).length, 1);
  for (const key of [apiKey, secondKey]) {
    assert.deepEqual(await filesHolding(folder, key), []);
    assert.deepEqual(await filesHolding(folder, Buffer.from(key, 'base64url')), []);
  }
  assert.deepEqual(await filesHolding(folder, row!.clientIdKey), []);
});

test('refuses a key that was copied from one website to another', async (t) => {
  const { control, folder } = await openTestControl(t);
  await control.websites.add(input);
  await control.websites.add({ ...input, domain: 'other.example' });
  await runSql(
    folder,
    `update api_keys
    set key_encrypted = (select key_encrypted from api_keys where website_id = 1)
    where website_id = 2`,
  );
  await assert.rejects(control.websites.apiKey(2), /cannot be decrypted/);
});

test('changes only what was asked for, and refuses to overwrite another change', async (t) => {
  const { control } = await openTestControl(t);
  const { website } = await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: 5 });
  const changed = await control.websites.update(website.id, {
    version: 1,
    name: ' Shop ',
    timezone: 'europe/berlin',
    retentionDays: 30,
  });
  assert.deepEqual(changed, {
    ...website,
    name: 'Shop',
    timezone: 'Europe/Berlin',
    retentionDays: 30,
    version: 2,
  });
  await assert.rejects(control.websites.update(website.id, { version: 1, contingent: 9 }), {
    reason: 'conflict',
  });
  assert.deepEqual(await control.websites.find('1'), changed);
  const free = await control.websites.update(website.id, {
    version: 2,
    contingent: null,
    retentionDays: null,
  });
  assert.deepEqual([free.contingent, free.retentionDays, free.version], [null, null, 3]);
});

test('a website cannot take the domain of another one, but can keep its own', async (t) => {
  const { control } = await openTestControl(t);
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  await assert.rejects(control.websites.update(1, { domain: 'B.test' }), { reason: 'already-exists' });
  assert.equal((await control.websites.update(1, { domain: 'a.test' })).domain, 'a.test');
  assert.equal((await control.websites.update(1, { domain: 'c.test' })).domain, 'c.test');
});

test('of two changes to the same version, one succeeds and the other is refused', async (t) => {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const results = await Promise.allSettled(
    ['One', 'Two'].map((name) => control.websites.update(1, { version: 1, name })),
  );
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected']);
});

test('is named after its domain, in readable letters, until it gets a name', async (t) => {
  const { control } = await openTestControl(t);
  const { website } = await control.websites.add({
    domain: 'müller.test',
    timezone: 'UTC',
    contingent: null,
  });
  assert.deepEqual([website.domain, website.name], ['xn--mller-kva.test', 'müller.test']);
});

test('gives a lost website its ID again, but none that this database has given out', async (t) => {
  const { control } = await openTestControl(t);
  const { websites } = control;
  const add = async (domain: string, lostId?: number) =>
    (await websites.add({ domain, timezone: 'UTC', contingent: null, lostId })).website.id;
  assert.equal(await add('a.test'), 1);
  await assert.rejects(add('b.test', 1), /ID: .* \(none is missing\), got 1\.$/);
  await websites.lose(4);
  await websites.lose(3);
  assert.deepEqual([await websites.lastId(), await websites.lostIds()], [4, [2, 3, 4]]);
  assert.equal(await add('lost.test', 3), 3);
  await assert.rejects(add('b.test', 3), /ID: .* \(missing are 2, 4\), got 3\.$/);
  await assert.rejects(add('lost.test', 2), /already taken/);
  assert.deepEqual(await websites.lostIds(), [2, 4]);
  await control.deletions.begin(3);
  await control.deletions.finish(3);
  await assert.rejects(add('b.test', 3), /got 3\.$/);
  assert.equal(await add('b.test'), 5);
  await websites.lose(2005);
  assert.deepEqual([await websites.lastId(), (await websites.lostIds()).length], [2005, 1002]);
});
