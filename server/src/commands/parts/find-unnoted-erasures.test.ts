import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { noteErasure } from '../../backup/erasure-notes.ts';
import { openPlace } from '../../backup/open-place.ts';
import { markPlace } from '../../backup/place-mark.ts';
import { createFakeClock, makeFolder, openTestControl } from '../../control/test-control.ts';
import { findUnnotedErasures } from './find-unnoted-erasures.ts';

const s3 = {
  s3Endpoint: undefined,
  s3Region: 'us-east-1',
  s3AccessKeyId: undefined,
  s3SecretAccessKey: undefined,
};

test('finds erasures since the last backup that its place has no note of', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  const folder = join(await makeFolder(t), 'place');
  const place = openPlace(folder, s3);
  await markPlace(place, await control.installation());
  const find = async () =>
    (await findUnnotedErasures(control, s3)).map(({ erasures, fault }) => [
      erasures.map(({ visitorId }) => visitorId),
      fault,
    ]);
  await control.erasures.add(1, '6');
  assert.deepEqual(await find(), [], 'there is no place yet');

  await control.backupPlaces.begin(folder, clock.now());
  assert.deepEqual(await find(), [[['6'], undefined]], 'no backup has noted it');
  clock.pass(1000);
  await control.backupPlaces.begin(folder, clock.now());
  await control.backupPlaces.finish(folder, { finishedAt: clock.now(), records: 1, bytes: 1 });
  assert.deepEqual(await find(), [], 'the backup noted it, and removed the note when it was too old');

  clock.pass(1000);
  await control.erasures.add(1, '7');
  const [, erasure] = await control.erasures.list();
  await noteErasure(place, erasure!);
  await control.erasures.add(1, '8');
  assert.deepEqual(await find(), [[['8'], undefined]]);
  await rename(folder, `${folder}.away`);
  assert.deepEqual(await find(), [
    [
      ['7', '8'],
      `The backups in ${folder} are gone. Is its disk mounted? If they are gone for good, run trackside backup ${folder} --forget.`,
    ],
  ]);
  await rename(`${folder}.away`, folder);

  clock.pass(1000);
  await control.erasures.add(1, '7');
  assert.deepEqual(await find(), [[['7', '8'], undefined]], 'the note is about an earlier erasure');
});
