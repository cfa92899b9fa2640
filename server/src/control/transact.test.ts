import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl, readTables, refuseEntries } from './test-control.ts';

const website = { domain: 'a.test', timezone: 'UTC', contingent: null };
const entry = { actor: 'ada@example.com', action: 'website.added', websiteId: 1, subject: 'a.test' } as const;

test('a change and its entries are there together', async (t) => {
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

test('when an entry cannot be written, the change is not there either', async (t) => {
  const { control, folder } = await openTestControl(t);
  refuseEntries(folder);
  const before = readTables(folder);
  const add = () =>
    control.transact(async ({ websites }) => ({ result: await websites.add(website), entries: [entry] }));
  await assert.rejects(add(), { message: /no entries/ });
  assert.deepEqual(readTables(folder), before);
});

test('what comes without an entry is undone', async (t) => {
  const { control, folder } = await openTestControl(t);
  const before = readTables(folder);
  const result = await control.transact(async ({ websites }) => {
    await websites.add(website);
    return { result: 'nothing worth an entry', entries: [] };
  });
  assert.equal(result, 'nothing worth an entry');
  assert.deepEqual(readTables(folder), before);
});

test('of several changes in one transaction, all are made or none', async (t) => {
  const { control, folder } = await openTestControl(t);
  const before = readTables(folder);
  const addTwice = control.transact(async ({ websites }) => {
    await websites.add(website);
    return { result: await websites.add(website), entries: [entry] };
  });
  await assert.rejects(addTwice, { name: 'ControlError', reason: 'already-exists' });
  assert.deepEqual(readTables(folder), before);
});

test('a question that comes meanwhile is answered after the transaction', async (t) => {
  const { control } = await openTestControl(t);
  const changed = control.transact(async ({ websites }) => ({
    result: await websites.add(website),
    entries: [entry],
  }));
  const [listed] = await Promise.all([control.websites.list(), changed]);
  assert.equal(listed.length, 1);
});
