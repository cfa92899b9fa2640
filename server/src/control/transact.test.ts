import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from './test-control.ts';
import { readTables, refuseEntries, testOnSqlite } from './test-database.ts';

const website = { domain: 'a.test', timezone: 'UTC', contingent: null };
const entry = { actor: 'ada@example.com', action: 'website.added', websiteId: 1, subject: 'a.test' } as const;

test('saves a change together with its entries', async (t) => {
  const { control } = await openTestControl(t);
  const { apiKey } = await control.transact(async ({ websites }) => ({
    result: await websites.add(website),
    entries: [entry, { ...entry, action: 'website.key-revealed' }],
  }));
  assert.equal(await control.websites.apiKey(1), apiKey);
  assert.deepEqual(
    (await control.auditLog.list({ limit: 5 })).map(({ id, action }) => [id, action]),
    [
      [2, 'website.key-revealed'],
      [1, 'website.added'],
    ],
  );
});

test('undoes the change if its entry cannot be written', async (t) => {
  const { control, folder } = await openTestControl(t);
  await refuseEntries(folder);
  const before = await readTables(folder);
  const add = () =>
    control.transact(async ({ websites }) => ({ result: await websites.add(website), entries: [entry] }));
  await assert.rejects(add(), { message: /no entries/ });
  assert.deepEqual(await readTables(folder), before);
});

test('undoes a change without an entry', async (t) => {
  const { control, folder } = await openTestControl(t);
  const before = await readTables(folder);
  const result = await control.transact(async ({ websites }) => {
    await websites.add(website);
    return { result: 'nothing worth an entry', entries: [] };
  });
  assert.equal(result, 'nothing worth an entry');
  assert.deepEqual(await readTables(folder), before);
});

test('makes all changes of a transaction or none', async (t) => {
  const { control, folder } = await openTestControl(t);
  const before = await readTables(folder);
  const addTwice = control.transact(async ({ websites }) => {
    await websites.add(website);
    return { result: await websites.add(website), entries: [entry] };
  });
  await assert.rejects(addTwice, { name: 'ControlError', reason: 'already-exists' });
  assert.deepEqual(await readTables(folder), before);
});

testOnSqlite('answers a query that arrives in the meantime after the transaction', async (t) => {
  const { control } = await openTestControl(t);
  const changed = control.transact(async ({ websites }) => ({
    result: await websites.add(website),
    entries: [entry],
  }));
  const [listed] = await Promise.all([control.websites.list(), changed]);
  assert.equal(listed.length, 1);
});
