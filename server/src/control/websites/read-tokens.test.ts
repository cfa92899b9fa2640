import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { filesHolding, runSql } from '../test-database.ts';
import { hashApiKey } from './hash-api-key.ts';

const minuteMs = 60_000;

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  const add = async (domain: string) =>
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  const first = await add('example.com');
  const second = await add('other.example');
  return { clock, control, folder, readTokens: control.readTokens, first, second };
}

test('adds a token that is found by its text, for its website only', async (t) => {
  const { clock, readTokens, first, second } = await open(t);
  const { token, ...added } = await readTokens.add(first.website.id, '  Grafana ');
  assert.match(token, /^tsr_[\w-]{43}$/);
  assert.deepEqual(added, {
    id: 1,
    websiteId: first.website.id,
    name: 'Grafana',
    createdAt: clock.now(),
    lastUsedAt: null,
  });
  const other = await readTokens.add(second.website.id, 'Grafana');
  assert.notEqual(other.token, token);
  assert.deepEqual(await readTokens.find(token), { id: 1, websiteId: first.website.id });
  assert.deepEqual(await readTokens.find(other.token), { id: 2, websiteId: second.website.id });
});

test('lists the tokens of one website, or of all', async (t) => {
  const { readTokens, first, second } = await open(t);
  assert.deepEqual(await readTokens.list(), []);
  for (const [website, name] of [
    [first, 'a'],
    [second, 'b'],
    [first, 'c'],
  ] as const) {
    await readTokens.add(website.website.id, name);
  }
  const names = async (websiteId?: number) => (await readTokens.list(websiteId)).map(({ name }) => name);
  assert.deepEqual(await names(), ['a', 'b', 'c']);
  assert.deepEqual(await names(first.website.id), ['a', 'c']);
  assert.deepEqual(await names(second.website.id), ['b']);
  assert.deepEqual(await names(99), []);
  const fields = ['id', 'websiteId', 'name', 'createdAt', 'lastUsedAt'];
  assert.deepEqual(Object.keys((await readTokens.list())[0]!), fields);
});

test('finds nothing by a tracking key, a hash, or a token that is not exactly right', async (t) => {
  const { readTokens, first } = await open(t);
  const { token } = await readTokens.add(first.website.id, 'export');
  const wrong = [
    '',
    'tsr_',
    first.apiKey,
    `tsr_${first.apiKey}`,
    hashApiKey(token),
    token.slice(4),
    token.slice(0, -1),
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
  ];
  for (const text of wrong) assert.equal(await readTokens.find(text), undefined, text);
});

test('does not find a revoked token, on any connection and at once', async (t) => {
  const { readTokens, folder, first } = await open(t);
  const { control: node } = await openTestControl(t, { folder });
  const gone = await readTokens.add(first.website.id, 'old laptop');
  const kept = await readTokens.add(first.website.id, 'export');
  assert.equal((await node.readTokens.find(gone.token))?.id, gone.id);
  assert.equal((await readTokens.revoke(gone.id)).name, 'old laptop');
  assert.equal(await node.readTokens.find(gone.token), undefined);
  assert.equal((await node.readTokens.find(kept.token))?.id, kept.id);
  assert.deepEqual(
    (await node.readTokens.list()).map(({ id }) => id),
    [kept.id],
  );
});

test('does not reuse the id of a revoked token', async (t) => {
  const { readTokens, first } = await open(t);
  const { id } = await readTokens.add(first.website.id, 'export');
  await readTokens.revoke(id);
  assert.equal((await readTokens.add(first.website.id, 'export')).id, id + 1);
  await assert.rejects(readTokens.revoke(id), { reason: 'not-found', message: /Read token 1.*token list/ });
});

test('refuses an unknown website, and a name that is empty, too long or more than a line', async (t) => {
  const { readTokens, first } = await open(t);
  await assert.rejects(readTokens.add(99, 'export'), { reason: 'not-found', message: /Website 99/ });
  for (const [name, says] of [
    ['', /expected 1 to 100 characters.*got 0/],
    [' \t ', /got 0/],
    ['x'.repeat(101), /got 101/],
    ['two\nlines', /expected one line/],
    ['\u001b[31mred', /control characters/],
    ['a\u2028b', /expected one line/],
  ] as const) {
    await assert.rejects(readTokens.add(first.website.id, name), { reason: 'invalid', message: says });
  }
  assert.deepEqual(await readTokens.list(), []);
  assert.equal((await readTokens.add(first.website.id, '📈'.repeat(100))).id, 1);
});

test('records the last use, at most once a minute', async (t) => {
  const { clock, readTokens, first } = await open(t);
  const { id } = await readTokens.add(first.website.id, 'export');
  await readTokens.add(first.website.id, 'unused');
  const lastUses = async () => (await readTokens.list()).map(({ lastUsedAt }) => lastUsedAt);
  const firstUse = clock.now();
  await readTokens.markUsed(id);
  assert.deepEqual(await lastUses(), [firstUse, null]);
  clock.pass(minuteMs - 1);
  await readTokens.markUsed(id);
  assert.deepEqual(await lastUses(), [firstUse, null]);
  clock.pass(1);
  await readTokens.markUsed(id);
  assert.deepEqual(await lastUses(), [firstUse + minuteMs, null]);
});

test('corrects a last use that a wrong clock put into the future', async (t) => {
  const { clock, readTokens, first } = await open(t);
  const { id } = await readTokens.add(first.website.id, 'export');
  clock.jump(24 * 60 * minuteMs);
  await readTokens.markUsed(id);
  clock.jump(-24 * 60 * minuteMs);
  await readTokens.markUsed(id);
  assert.equal((await readTokens.list())[0]?.lastUsedAt, clock.now());
});

test('ignores that a token was revoked before its use is recorded', async (t) => {
  const { readTokens, first } = await open(t);
  const { id } = await readTokens.add(first.website.id, 'export');
  await readTokens.revoke(id);
  await readTokens.markUsed(id);
  assert.deepEqual(await readTokens.list(), []);
});

test('does not raise the revision, because no node keeps tokens in memory', async (t) => {
  const { control, readTokens, first } = await open(t);
  const before = await control.revision();
  const { id } = await readTokens.add(first.website.id, 'export');
  await readTokens.markUsed(id);
  await readTokens.revoke(id);
  assert.equal(await control.revision(), before);
});

test('removes the tokens of a website together with it', async (t) => {
  const { readTokens, folder, first, second } = await open(t);
  const gone = await readTokens.add(first.website.id, 'export');
  const kept = await readTokens.add(second.website.id, 'export');
  await runSql(folder, 'delete from websites where id = ?', first.website.id);
  assert.equal(await readTokens.find(gone.token), undefined);
  assert.equal((await readTokens.find(kept.token))?.id, kept.id);
  assert.equal((await readTokens.list()).length, 1);
});

test('writes the plain token to no file', async (t) => {
  const { control, readTokens, folder, first } = await open(t);
  const { id, token } = await readTokens.add(first.website.id, 'export');
  await readTokens.find(token);
  await readTokens.markUsed(id);
  const secret = token.slice('tsr_'.length);
  const look = async () => {
    // The hash is stored, and it is found. So the search works.
    assert.equal((await filesHolding(folder, hashApiKey(token))).length, 1);
    assert.deepEqual(await filesHolding(folder, secret), []);
    assert.deepEqual(await filesHolding(folder, Buffer.from(secret, 'base64url')), []);
  };
  await look();
  await control.close();
  await look();
});
