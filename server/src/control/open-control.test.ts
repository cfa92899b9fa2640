import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createTestLog, makeFolder, openTestControl } from './test-control.ts';
import { runSql, testOnSqlite } from './test-database.ts';

const website = { domain: 'example.com', timezone: 'UTC', contingent: null };

async function closedWithWebsite(t: TestContext): Promise<{ folder: string; keyFile: string }> {
  const { control, folder } = await openTestControl(t);
  await control.websites.add(website);
  await control.close();
  return { folder, keyFile: join(folder, 'secret-key') };
}

testOnSqlite('creates its folder and files so that only their owner can read them', async (t) => {
  const folder = join(await makeFolder(t), 'new', 'data');
  const { control } = await openTestControl(t, { folder });
  await control.websites.add(website);
  assert.equal((await stat(folder)).mode & 0o777, 0o700);
  const names = (await readdir(folder)).sort();
  assert.deepEqual(names, ['control.db', 'control.db-shm', 'control.db-wal', 'secret-key']);
  for (const name of names) assert.equal((await stat(join(folder, name))).mode & 0o777, 0o600, name);
});

test('migrates an empty database once and keeps its content when opened again', async (t) => {
  const folder = await makeFolder(t);
  const first = createTestLog();
  const { control } = await openTestControl(t, { folder, log: first.log });
  const { apiKey } = await control.websites.add(website);
  await control.close();
  assert.ok(first.messages.includes('control database migrated'));

  const second = createTestLog();
  const { control: again } = await openTestControl(t, { folder, log: second.log });
  assert.deepEqual(second.messages, []);
  assert.equal(await again.websites.apiKey(1), apiKey);
});

test('opens one new folder many times at once, with one key and one schema', async (t) => {
  const folder = await makeFolder(t);
  const open = () => openTestControl(t, { folder, hasOwnThread: true });
  const opened = await Promise.all(Array.from({ length: 5 }, open));
  const { apiKey } = await opened[0]!.control.websites.add(website);
  for (const { control } of opened) assert.equal(await control.websites.apiKey(1), apiKey);
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name.startsWith('secret-key')),
    ['secret-key'],
  );
});

test('refuses a database that a newer version has used', async (t) => {
  const { folder } = await closedWithWebsite(t);
  await runSql(folder, `insert into migrations (number, name, applied_at) values (99, 'from the future', 0)`);
  await assert.rejects(openTestControl(t, { folder }), {
    name: 'ControlOpenError',
    message: /has version 99.*newer Trackside/s,
  });
});

test('refuses to start without its key once there are websites, and creates no new one', async (t) => {
  const { folder, keyFile } = await closedWithWebsite(t);
  const key = await readFile(keyFile);
  await rm(keyFile);
  await assert.rejects(openTestControl(t, { folder }), {
    name: 'SecretKeyError',
    message: /missing.*Restore/s,
  });
  await assert.rejects(stat(keyFile), { code: 'ENOENT' });
  await writeFile(keyFile, key, { mode: 0o600 });
  await openTestControl(t, { folder });
});

testOnSqlite('creates a new key if the old one is lost before there is a website', async (t) => {
  const { control, folder } = await openTestControl(t);
  await control.close();
  await rm(join(folder, 'secret-key'));
  const { control: again } = await openTestControl(t, { folder });
  const { apiKey } = await again.websites.add(website);
  await again.close();
  const { control: third } = await openTestControl(t, { folder });
  assert.equal(await third.websites.apiKey(1), apiKey);
});

test('refuses the key of another database', async (t) => {
  const { folder, keyFile } = await closedWithWebsite(t);
  await writeFile(keyFile, randomBytes(32).toString('base64'));
  await assert.rejects(openTestControl(t, { folder }), { name: 'SecretKeyError', message: /not the one/ });
});

test('refuses a key file that others can read, or that contains no key', async (t) => {
  const { folder, keyFile } = await closedWithWebsite(t);
  for (const mode of [0o604, 0o644, 0o620]) {
    await chmod(keyFile, mode);
    await assert.rejects(openTestControl(t, { folder }), { message: /mode 06.*Run: chmod 600/s });
  }
  await chmod(keyFile, 0o600);
  await writeFile(keyFile, 'short');
  await assert.rejects(openTestControl(t, { folder }), { message: /holds 3 bytes: expected 32/ });
});

testOnSqlite('waits for another writer while the process does other work', async (t) => {
  const { control, folder } = await openTestControl(t, { hasOwnThread: true });
  const other = new DatabaseSync(join(folder, 'control.db'));
  t.after(() => other.close());
  other.exec('begin immediate');
  const added = control.websites.add(website);
  // This runs only if the event loop is free while the add is waiting.
  setTimeout(() => other.exec('commit'), 50);
  assert.equal((await added).website.id, 1);
});
