import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openControl } from '../open-control.ts';
import { createFakeClock, makeFolder, silentLog } from '../test-control.ts';
import { databaseUrlOf } from '../test-database.ts';
import { checkSecretKey, copyControl, forgetSalts } from './copy-control.ts';
import { peekControl } from './peek-control.ts';

test('copies an installation, closes the old one, and takes the way back', async (t) => {
  const [folder, other] = [await makeFolder(t), await makeFolder(t)];
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const ofProcess = { clock, log: silentLog() };
  const secretKeyFile = join(folder, 'secret.key');
  const here = { folder };
  const there = { folder: other, databaseUrl: await databaseUrlOf(t, other) };
  const open = (place: { folder: string }) =>
    openControl({ ...place, ...ofProcess, secretKeyFile, isOnThisThread: true });

  assert.equal((await peekControl(there)).installation, undefined);
  const before = await open(here);
  const added = await before.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: 5 });
  await before.salts.ensure(['2026-03-10']);
  const installation = await before.installation();
  const settled = [{ websiteId: added.website.id, month: '2026-03', records: 3 }];
  await before.backupPlaces.begin('/mnt/backups', 1);
  await before.usage.checkpoint({ node: 'n1', position: { segment: 1, offset: 2 }, settled });
  await before.close();

  const moved = await copyControl({ from: here, to: there, movedTo: 'the moon', ...ofProcess });
  assert.deepEqual(
    moved.filter(({ isSame, rows, copied }) => !isSame || rows !== copied),
    [],
  );
  assert.equal(moved.find(({ table }) => table === 'websites')?.rows, 1);
  await forgetSalts({ ...here, ...ofProcess });
  await assert.rejects(open(here), /This installation was moved to the moon\./);
  assert.deepEqual((await peekControl(here)).movedTo, 'the moon');

  const after = await open(there);
  assert.equal(await after.installation(), installation);
  assert.equal((await after.salts.load()).size, 1, 'salts are moved');
  assert.deepEqual((await after.usage.read('n1')).settled, settled);
  const places = async ({ backupPlaces }: typeof after) =>
    (await backupPlaces.list()).map(({ place }) => place);
  assert.deepEqual(await places(after), ['/mnt/backups'], 'erasures are still noted there');
  await after.websites.add({ domain: 'b.test', timezone: 'UTC', contingent: null });
  await after.close();

  await copyControl({ from: there, to: here, movedTo: 'the earth', ...ofProcess });
  const back = await open(here);
  assert.deepEqual(
    (await back.websites.list()).map(({ domain }) => domain),
    ['a.test', 'b.test'],
  );
  assert.deepEqual(await places(back), ['/mnt/backups']);
  await back.close();
  await assert.rejects(open(there), /This installation was moved to the earth\./);
});

test('makes the copy again if it was interrupted after the old side was closed', async (t) => {
  const [folder, other] = [await makeFolder(t), await makeFolder(t)];
  const ofProcess = { clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  const secretKeyFile = join(folder, 'secret.key');
  const there = { folder: other, databaseUrl: await databaseUrlOf(t, other) };
  const control = await openControl({ folder, ...ofProcess, secretKeyFile, isOnThisThread: true });
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  await control.close();
  await copyControl({ from: { folder }, to: { folder: await makeFolder(t) }, movedTo: 'x', ...ofProcess });
  await copyControl({ from: { folder }, to: there, movedTo: 'y', ...ofProcess });
  const copy = await openControl({ ...there, ...ofProcess, secretKeyFile, isOnThisThread: true });
  assert.equal((await copy.websites.list()).length, 1);
  await copy.close();
});

test('refuses a key of another installation', async (t) => {
  const [folder, other] = [await makeFolder(t), await makeFolder(t)];
  const ofProcess = { clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  for (const each of [folder, other]) {
    const secretKeyFile = join(each, 'secret.key');
    const control = await openControl({ folder: each, ...ofProcess, secretKeyFile, isOnThisThread: true });
    await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
    await control.close();
  }
  const peeked = await peekControl({ folder });
  await checkSecretKey(join(folder, 'secret.key'), peeked);
  await assert.rejects(checkSecretKey(join(other, 'secret.key'), peeked), /is not the one/);
  await assert.rejects(checkSecretKey(join(other, 'none'), peeked), /is missing/);
});
