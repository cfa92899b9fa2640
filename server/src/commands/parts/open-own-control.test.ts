import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { addWebsite } from '../../actions/add-website.ts';
import { damageTable, makeFolder, silentLog } from '../../control/test-control.ts';
import { databaseUrlOf, testOnPostgres } from '../../control/test-database.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { writeMark } from '../../files/mark-file.ts';
import { systemClock } from '../../time/clock.ts';
import { isInUse } from './is-in-use.ts';
import { LostControlError, markFolder, openOwnControl } from './open-own-control.ts';

async function open(t: TestContext, root: string) {
  const folder = dataFolder(root);
  const secretKeyFile = join(root, 'secret.key');
  const control = await openOwnControl({
    folder,
    mustBeWhole: true,
    secretKeyFile,
    clock: systemClock,
    log: silentLog(),
  });
  t.after(() => control.close());
  return control;
}

test('a new folder gets a control database, but a mark only from a server', async (t) => {
  const root = await makeFolder(t);
  const folder = dataFolder(root);
  const control = await open(t, root);
  assert.equal(existsSync(folder.installation), false);
  assert.equal(await isInUse(folder), false);
  await markFolder(folder, control);
  assert.equal(await isInUse(folder), true);
  const again = await open(t, root);
  assert.equal(await again.installation(), await control.installation());
});

test('a folder of an older version is recognized by its records, what doctor leaves is not', async (t) => {
  const traces = {
    'journal/ledger': true,
    'journal/0000000004.segment': true,
    'store/store/b1e/b1e0a1cc/202611_3_3_0/count.txt': true,
    'store/store/b1e/b1e0a1cc/all_1_1_0/count.txt': false,
    'journal/lock': false,
    'secret.key': false,
    'damage/x.json': false,
  };
  for (const [path, isTrace] of Object.entries(traces)) {
    const root = await makeFolder(t);
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), '');
    assert.equal(await isInUse(dataFolder(root)), isTrace, path);
  }
});

test('a marked folder gets no other control database', async (t) => {
  const root = await makeFolder(t);
  const folder = dataFolder(root);
  const control = await open(t, root);
  await markFolder(folder, control);
  await rm(folder.control, { recursive: true });
  await assert.rejects(open(t, root), LostControlError);
  assert.equal(existsSync(folder.control), false);
  await rm(folder.installation);
  const other = await open(t, root);
  await writeFile(folder.installation, '');
  await markFolder(folder, other);
  assert.notEqual(await other.installation(), await control.installation());
});

test('a new website gets no ID that the folder has seen, even if the control database is older', async (t) => {
  const root = await makeFolder(t);
  const { lastWebsite } = dataFolder(root);
  const add = async (domain: string) => {
    const control = await open(t, root);
    const input = { domain, timezone: 'UTC', contingent: null };
    return (await addWebsite(control, 'command line', input)).website.id;
  };
  assert.equal(await add('a.test'), 1);
  await writeMark(lastWebsite, '4');
  assert.equal(await add('b.test'), 5);
  await writeFile(lastWebsite, '9 f00dcafe\n');
  assert.equal(await add('c.test'), 6);
  await writeMark(lastWebsite, '2');
  assert.equal(await add('d.test'), 7);
});

const ways: Record<string, { lose: (database: string, other: string) => Promise<unknown>; says: RegExp }> = {
  'is empty': { lose: (database) => truncate(database, 0), says: /control\.db is empty, but .* restore/ },
  'is no database': {
    lose: (database) => writeFile(database, 'x'.repeat(10_000)),
    says: /control\.db is damaged.*restore/,
  },
  'has a damaged page': {
    lose: (database) => damageTable(database, 'audit_log'),
    says: /control\.db is damaged.*restore/,
  },
  'is of another installation': {
    lose: (database, other) => cp(other, database),
    says: /control\.db belongs to a different installation .*Restore/,
  },
};
for (const [what, { lose, says }] of Object.entries(ways)) {
  test(`refuses a marked folder whose control.db ${what}, and leaves the file unchanged`, async (t) => {
    const [root, elsewhere] = [await makeFolder(t), await makeFolder(t)];
    for (const one of [root, elsewhere]) {
      const control = await open(t, one);
      await markFolder(dataFolder(one), control);
      await control.close();
    }
    // The key is the same, so only the id of the installation distinguishes them.
    await cp(join(elsewhere, 'secret.key'), join(root, 'secret.key'));
    const database = join(dataFolder(root).control, 'control.db');
    await lose(database, join(dataFolder(elsewhere).control, 'control.db'));
    const before = await readFile(database);
    await assert.rejects(open(t, root), (error: Error) => {
      assert.ok(error instanceof LostControlError);
      assert.match(error.message, says);
      return true;
    });
    assert.deepEqual(await readFile(database), before);
  });
}

testOnPostgres(
  'a used folder takes neither an empty database nor that of another installation',
  async (t) => {
    const [root, elsewhere] = [await makeFolder(t), await makeFolder(t)];
    const openShared = async (at: string, databaseUrl: string | undefined) => {
      const secretKeyFile = join(root, 'secret.key');
      const log = silentLog();
      const folder = dataFolder(at);
      const control = await openOwnControl({ folder, databaseUrl, secretKeyFile, clock: systemClock, log });
      t.after(() => control.close());
      return control;
    };
    const [url, otherUrl] = [await databaseUrlOf(t, root), await databaseUrlOf(t, elsewhere)];
    await markFolder(dataFolder(root), await openShared(root, url));
    await assert.rejects(openShared(root, otherUrl), (error: Error) => {
      assert.ok(error instanceof LostControlError);
      assert.match(error.message, /TRACKSIDE_DATABASE_URL is empty, but .* right database/);
      return true;
    });
    // Another node with a new folder may start on either.
    await openShared(elsewhere, otherUrl);
    await assert.rejects(openShared(root, otherUrl), { message: /belongs to a different installation than/ });
    await openShared(root, url);
  },
);
