import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openControl } from '../open-control.ts';
import { createFakeClock, makeFolder, silentLog } from '../test-control.ts';
import { restoreErasures } from './restore-erasures.ts';
import { snapshotControl } from './snapshot-control.ts';

test('a restored server knows all places with backups, and so notes erasures in each', async (t) => {
  const [folder, restored] = [await makeFolder(t), await makeFolder(t)];
  const clock = createFakeClock('2026-03-10T12:30:00Z');
  const ofProcess = { clock, log: silentLog(), secretKeyFile: join(folder, 'secret.key') };
  const open = async (place: string) => {
    const control = await openControl({ folder: place, ...ofProcess, isOnThisThread: true });
    t.after(() => control.close());
    return control.backupPlaces;
  };
  const before = await open(folder);
  await before.begin('s3://bucket/other', 1);
  await before.finish('s3://bucket/other', { finishedAt: 2, records: 3, bytes: 4 });
  await before.begin('/mnt/backups', 5);
  await snapshotControl({ from: { folder }, to: { folder: restored }, ...ofProcess });
  const place = { place: '/mnt/backups', startedAt: 5, finishedAt: 6, records: 7, bytes: 8 };
  await restoreErasures({ folder: restored, ...ofProcess, place }, []);
  assert.deepEqual(await (await open(restored)).list(), [
    place,
    { place: 's3://bucket/other', startedAt: 1, finishedAt: 2, records: 3, bytes: 4 },
  ]);
});

test('a restored server keeps erasures of its websites and of later ones, but not of deleted ones', async (t) => {
  const folder = await makeFolder(t);
  const clock = createFakeClock('2026-03-10T12:30:00Z');
  const ofProcess = { clock, log: silentLog(), secretKeyFile: join(folder, 'secret.key') };
  const control = await openControl({ folder, ...ofProcess, isOnThisThread: true });
  t.after(() => control.close());
  for (const domain of ['a.test', 'deleted.test'])
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  await control.deletions.begin(2);
  await control.deletions.finish(2);
  const noted = [1, 2, 3].map((websiteId) => ({
    ...{ websiteId, visitorId: '7', receivedBefore: 50, appliedBefore: 50 },
    visits: [{ deviceId: '9', receivedFrom: 10, receivedUntil: 20 }],
  }));
  const place = { place: '/mnt/backups', startedAt: 5, finishedAt: 6, records: 7, bytes: 8 };
  assert.equal(await restoreErasures({ folder, ...ofProcess, place }, noted), 2);
  assert.deepEqual(await control.erasures.list(), [{ ...noted[0], appliedBefore: null }, noted[2]]);
});
