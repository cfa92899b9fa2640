import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLongForm } from '../../test/support/long-form.ts';
import type { WritableControl } from './open-control.ts';
import { openTestControl } from './test-control.ts';
import { isOnPostgres, readTables, runSql } from './test-database.ts';
import { hashApiKey } from './websites/hash-api-key.ts';

const password = 'a phrase that nobody guesses 7f3a';
const later = 'another phrase that nobody guesses 91bc';

/** Hands out one of everything that somebody could use, and what was replaced or revoked since. */
async function handOut(control: WritableControl): Promise<Record<string, string | Buffer>> {
  // This empties the write-ahead log, and the rest fills it again.
  await control.salts.ensure(['2026-03-09', '2026-03-10']);
  const salts = await control.salts.load();
  await control.salts.destroy('2026-03-09');
  const setupToken = await control.users.makeSetupToken();
  const user = await control.users.addFirst({ email: 'ada@example.com', password, token: setupToken });
  const { apiKey } = await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const { apiKey: regenerated } = await control.websites.regenerateKey(1, { keepOldMs: 60_000 });
  const { apiKey: third } = await control.websites.regenerateKey(1, { keepOldMs: 60_000 });
  await control.websites.setShare(1, 'on');
  const shareToken = (await control.websites.shareToken(1))!;
  await control.websites.setShare(1, 'renewed');
  const renewedShareToken = (await control.websites.shareToken(1))!;
  const readToken = await control.readTokens.add(1, 'Grafana');
  const revokedToken = await control.readTokens.add(1, 'Old');
  await control.readTokens.revoke(revokedToken.id);
  const session = await control.sessions.start(user.id, 'Firefox on Linux');
  const endedSession = await control.sessions.start(user.id);
  await control.sessions.end(endedSession.token);
  const device = await control.signIn.proveDevice(user);
  await control.users.setPassword(user.id, later);
  const from = { address: '192.0.2.1', deviceProof: undefined };
  await control.signIn.attempt({ ...from, email: 'ada@example.com', password: `${later}?` });
  const [row] = await control.websites.cacheRows();
  return {
    setupToken,
    password,
    later,
    apiKey,
    regenerated,
    third,
    shareToken,
    renewedShareToken,
    readToken: readToken.token,
    revokedToken: revokedToken.token,
    session: session.token,
    endedSession: endedSession.token,
    device,
    nodeSecret: control.nodeSecret,
    salt: salts.get('2026-03-10')!,
    destroyedSalt: salts.get('2026-03-09')!,
    clientIdKey: row!.clientIdKey,
  };
}

/** The ways in which a secret could be written down. */
function waysToWrite(secret: string | Buffer): Buffer[] {
  const plain = Buffer.from(secret);
  const bytes = [plain, ...(typeof secret === 'string' ? [decoded(secret)] : [])].filter(
    ({ length }) => length >= 8,
  );
  // PostgreSQL's write-ahead log is large, and holds values as the tables do.
  if (isOnPostgres && !isLongForm) return bytes;
  return bytes.flatMap((form) => [
    form,
    Buffer.from(form.toString('utf16le')),
    Buffer.from(form.toString('hex')),
    Buffer.from(form.toString('hex').toUpperCase()),
    Buffer.from(form.toString('base64').replace(/.=*$/, '')),
    Buffer.from(form.toString('base64url').replace(/.$/, '')),
  ]);
}

/** The random bytes in a token. */
const decoded = (token: string) =>
  /^[\w-]+$/.test(token) ? Buffer.from(token.replace(/^tsr_/, ''), 'base64url') : Buffer.alloc(0);

/** The bytes of everything but the key file: SQLite's files, or PostgreSQL's with its write-ahead log. */
async function copyControl(folder: string): Promise<[name: string, bytes: Buffer][]> {
  let root = folder;
  let isOfControl = (_path: string) => true;
  if (isOnPostgres) {
    await runSql(folder, 'checkpoint');
    const [row] = await runSql(
      folder,
      `select oid, current_setting('data_directory') as root from pg_database where datname = current_database()`,
    );
    root = String(row!.root);
    const own = [join(root, 'base', String(row!.oid)), join(root, 'pg_wal')];
    isOfControl = (path) => own.includes(path);
  }
  const entries = await readdir(root, { withFileTypes: true, recursive: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('secret'))
    .filter(({ parentPath }) => isOfControl(parentPath));
  return await Promise.all(
    files.map(async ({ parentPath, name }): Promise<[string, Buffer]> => {
      return [name, await readFile(join(parentPath, name))];
    }),
  );
}

test('a copy of control without the key file holds nothing that anybody could use', async (t) => {
  const { control, folder } = await openTestControl(t);
  const secrets = await handOut(control);
  const copies = [await copyControl(folder)];
  if (!isOnPostgres) {
    assert.ok(
      copies[0]!.some(([name, { length }]) => name === 'control.db-wal' && length > 0),
      'expected a write-ahead log to look into',
    );
    // What the documentation recommends as a backup.
    await runSql(folder, `vacuum into '${join(folder, 'backup.db')}'`);
  }
  await control.close();
  if (!isOnPostgres) copies.push(await copyControl(folder));

  const text = Buffer.from('ada@example.com');
  for (const copy of copies)
    assert.ok(
      copy.some(([, bytes]) => bytes.includes(text)),
      'what is no secret must be found',
    );
  const found = Object.entries(secrets).flatMap(([name, secret]) =>
    waysToWrite(secret).flatMap((form) =>
      copies
        .flat()
        .filter(([, bytes]) => bytes.includes(form))
        .map(([file]) => `${name} in ${file}`),
    ),
  );
  assert.deepEqual(found, []);
});

test('what control stores is accepted nowhere in place of the secret', async (t) => {
  const { control, folder } = await openTestControl(t);
  await handOut(control);
  const tables = await readTables(folder);
  const stored = Object.values(tables)
    .flatMap((rows) => rows.flatMap(Object.values))
    .flatMap((value) =>
      value instanceof Uint8Array
        ? [Buffer.from(value).toString('base64url'), Buffer.from(value).toString('hex')]
        : typeof value === 'string' && value !== ''
          ? [value, `tsr_${value}`, Buffer.from(value, 'hex').toString('base64url')]
          : [],
    );
  assert.ok(stored.length > 50);
  for (const value of stored) {
    assert.equal(await control.websites.hasKey(hashApiKey(value)), false, value);
    assert.equal(await control.websites.findByShareToken(value), undefined, value);
    assert.equal(await control.readTokens.find(value), undefined, value);
    assert.equal(await control.sessions.find(value), undefined, value);
    assert.equal(await control.users.hasSetupToken(value), false, value);
  }
  const hash = String(tables.users![0]!.password_hash);
  assert.equal(await control.users.verify('ada@example.com', hash), undefined);
  assert.notEqual(await control.users.verify('ada@example.com', later), undefined);
});
