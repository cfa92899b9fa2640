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
