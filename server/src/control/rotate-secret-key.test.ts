import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isLongForm } from '../../test/support/long-form.ts';
import type { NewAuditEntry } from './accounts/audit-log.ts';
import { readKeyCheck, resealKeyCheck, toInstallation } from './database/key-check.ts';
import { listSealedValues } from './database/sealed-values.ts';
import { createSecretBox } from './database/secret-box.ts';
import { readSecretKey } from './database/secret-key-file.ts';
import { openControl, type WritableControl } from './open-control.ts';
import { type RotationStep, rotateSecretKey } from './rotate-secret-key.ts';
import { createFakeClock, leastPasswordCost, makeFolder, silentLog } from './test-control.ts';
import {
  databaseUrlOf,
  filesHolding,
  openTestDatabase,
  testOnPostgres,
  testOnSqlite,
} from './test-database.ts';

const entry: NewAuditEntry = { actor: 'command line', action: 'secret-key.rotated', subject: 'secret key' };
const ofProcess = { clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };

type Place = { folder: string; databaseUrl: string | undefined; secretKeyFile: string };

const open = (place: Place): Promise<WritableControl> =>
  openControl({ ...place, ...ofProcess, isOnThisThread: true, passwordCost: leastPasswordCost });
const rotate = (place: Place, more: Partial<Parameters<typeof rotateSecretKey>[0]> = {}) =>
  rotateSecretKey({ ...place, ...ofProcess, entry, ...more });

/** What the secret key opens, and what must stay the same when it changes. */
async function readSecrets(control: WritableControl) {
  const websites = await control.websites.list();
  return {
    installation: await control.installation(),
    keys: await Promise.all(websites.map(({ id }) => control.websites.apiKey(id))),
    links: await Promise.all(websites.map(({ id }) => control.websites.shareToken(id))),
    clientIdKeys: (await control.websites.cacheRows()).map(({ clientIdKey }) => clientIdKey.toString('hex')),
    salts: [...(await control.salts.load())].map(([date, salt]) => [date, salt.toString('hex')]),
  };
}

async function prepare(t: TestContext) {
  const folder = await makeFolder(t);
  const place: Place = {
    folder,
    databaseUrl: await databaseUrlOf(t, folder),
    secretKeyFile: join(folder, 'secret.key'),
  };
  const control = await open(place);
  for (const domain of ['a.test', 'b.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  await control.websites.setShare(1, 'on');
  await control.websites.regenerateKey(2, { keepOldMs: 60_000 });
  await control.salts.ensure(['2026-03-10', '2026-03-11']);
  const secrets = await readSecrets(control);
  await control.close();
  return { place, secrets };
}

async function readAfter(place: Place) {
  const control = await open(place);
  try {
    return await readSecrets(control);
  } finally {
    await control.close();
  }
}

test('a rotated key opens everything that the old one opened, which now opens nothing', async (t) => {
  const { place, secrets } = await prepare(t);
  const oldKey = (await readSecretKey(place.secretKeyFile))!;
  await chmod(place.secretKeyFile, 0o640);
  const { values } = await rotate(place);
  assert.equal(values, 8, 'three API keys, two ClientId keys, a link and two salts');
  assert.deepEqual(await readAfter(place), secrets);
  assert.notDeepEqual(await readSecretKey(place.secretKeyFile), oldKey);
  assert.equal((await stat(place.secretKeyFile)).mode & 0o777, 0o640, 'the group can still read it');
  const old = createSecretBox(oldKey);
  const database = await openTestDatabase(t, place.folder);
  for (const value of await listSealedValues(database.db))
    assert.throws(() => value.open(old), /cannot be decrypted/, value.context);
  await database.close();
  const control = await open(place);
  const entries = await control.auditLog.list({ limit: 10 });
  assert.equal(entries[0]?.action, 'secret-key.rotated');
  await control.close();
  // A second rotation keeps the installation too.
  await rotate(place);
  assert.deepEqual(await readAfter(place), secrets);
});

test('every column of bytes is encrypted again', async (t) => {
  const { place } = await prepare(t);
  const bytesOf = async () => {
    const { db, close } = await openTestDatabase(t, place.folder);
    const rows = [
      ...(await db.selectFrom('control_state').selectAll().execute()),
      ...(await db.selectFrom('websites').selectAll().orderBy('id').execute()),
      ...(await db.selectFrom('api_keys').selectAll().orderBy('key_hash').execute()),
      ...(await db.selectFrom('salts').selectAll().orderBy('date').execute()),
    ];
    await close();
    return rows.flatMap((row) => Object.values(row).filter((value) => value instanceof Uint8Array));
  };
  const tables = await openTestDatabase(t, place.folder);
  const columns = (await tables.db.introspection.getTables()).flatMap(({ name, columns }) =>
    columns
      .filter(({ dataType }) => dataType.toLowerCase() === tables.bytesType)
      .map((column) => `${name}.${column.name}`),
  );
  assert.deepEqual(columns.toSorted(), [
    'api_keys.key_encrypted',
    'control_state.key_check',
    // Hashes, which no key opens.
    'left_keys.hashes',
    'salts.salt',
    'websites.client_id_key_encrypted',
    'websites.share_token_encrypted',
  ]);
  await tables.close();
  const before = (await bytesOf()).map((bytes) => Buffer.from(bytes).toString('hex'));
  await rotate(place);
  const after = (await bytesOf()).map((bytes) => Buffer.from(bytes).toString('hex'));
  assert.equal(after.length, before.length);
  for (const bytes of before) assert.ok(!after.includes(bytes), 'a value is as before');
});

testOnSqlite('nothing that the old key opens is left in the files', async (t) => {
  const { place } = await prepare(t);
  const database = await openTestDatabase(t, place.folder);
  const { salt } = await database.db.selectFrom('salts').select('salt').executeTakeFirstOrThrow();
  await database.close();
  assert.ok((await filesHolding(place.folder, Buffer.from(salt))).length > 0);
  await rotate(place);
  assert.deepEqual(await filesHolding(place.folder, Buffer.from(salt)), []);
});

/** Rotates in a process that is killed after a step, as kill -9 would. */
async function killAt(place: Place, step: RotationStep): Promise<void> {
  const script = `
    import { rotateSecretKey } from ${JSON.stringify(import.meta.resolve('./rotate-secret-key.ts'))};
    await rotateSecretKey({
      ...${JSON.stringify(place)},
      entry: ${JSON.stringify(entry)},
      clock: { now: Date.now, monotonicMs: () => performance.now() },
      log: { info() {}, warn() {}, error() {} },
      onStep: (step) => { if (step === ${JSON.stringify(step)}) process.kill(process.pid, 'SIGKILL'); },
    });
  `;
  const file = join(place.folder, 'rotate.mjs');
  await writeFile(file, script);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = await once(child, 'exit');
  assert.equal(signal, 'SIGKILL', `expected the process to reach ${step}`);
}

test('a rotation that is killed after any step is continued by the next start', async (t) => {
  const between: RotationStep[] = ['encrypted', 'committed'];
  const steps = isLongForm ? (['created', ...between, 'replaced'] as const) : between;
  for (const step of steps) {
    const { place, secrets } = await prepare(t);
    const oldKey = await readSecretKey(place.secretKeyFile);
    await killAt(place, step);
    assert.deepEqual(await readAfter(place), secrets, step);
    const isChanged = step === 'committed' || step === 'replaced';
    const key = (await readSecretKey(place.secretKeyFile))!;
    assert.equal(!key.equals(oldKey!), isChanged, step);
    // It also goes on after that, and leaves no second key.
    await rotate(place);
    assert.deepEqual(await readAfter(place), secrets, step);
    const left = (await readdir(place.folder)).filter((name) => name.startsWith('secret.key'));
    assert.deepEqual(left, ['secret.key'], step);
  }
});

test('with a file of its own, the new key is left there, and doing it again changes nothing', async (t) => {
  const { place, secrets } = await prepare(t);
  const oldText = await readFile(place.secretKeyFile, 'utf8');
  const newKeyFile = join(place.folder, 'new.key');
  assert.deepEqual(await rotate(place, { newKeyFile }), { values: 8, wasDone: false });
  assert.equal(await readFile(place.secretKeyFile, 'utf8'), oldText);
  assert.deepEqual(await rotate(place, { newKeyFile }), { values: 8, wasDone: true });
  await assert.rejects(open(place), /If it was rotated on another server, copy the new key file from there/);
  await copyFile(newKeyFile, place.secretKeyFile);
  assert.deepEqual(await readAfter(place), secrets);
});

test('a process that still has the old key can neither write with it nor make a salt', async (t) => {
  const { place } = await prepare(t);
  const late = await open(place);
  // A server that was cut off has no connection while the key is rotated. Here it has one, so PostgreSQL
  // would refuse.
  const { db } = await openTestDatabase(t, place.folder);
  const other = createSecretBox(Buffer.alloc(32, 1));
  const before = (await readKeyCheck(db))!;
  await db
    .updateTable('control_state')
    .set({ key_check: resealKeyCheck(other, before) })
    .execute();
  assert.equal(toInstallation(await readKeyCheck(db)), toInstallation(before));
  const wasRotated = /The secret key was rotated after this process had started/;
  await assert.rejects(late.salts.ensure(['2026-03-12']), wasRotated);
  const add = late.transact(async ({ websites }) => ({
    result: await websites.regenerateKey(1),
    entries: [entry],
  }));
  await assert.rejects(add, wasRotated);
  await late.close();
});

testOnPostgres('refuses while anybody else is connected, and changes nothing', async (t) => {
  const { place, secrets } = await prepare(t);
  const control = await open(place);
  await assert.rejects(rotate(place), /\d other connections? to this database\. Stop all of them/);
  assert.deepEqual(await readSecrets(control), secrets);
  await control.close();
  await rotate(place);
  assert.deepEqual(await readAfter(place), secrets);
});
