import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeLine } from './disk-line.ts';
import { createOwner, nameFile } from './disk-owner.ts';
import { keepOnDisk } from './keep-on-disk.ts';
import { makeFolder } from './test-processes.ts';

const minuteMs = 60_000;

/** Opens a disk queue next to a file of a process in another container, and a clock that the test moves. */
async function openBesideAnother(t: TestContext) {
  let now = Date.now();
  t.mock.method(Date, 'now', () => now);
  const folder = await makeFolder(t);
  const path = join(folder, nameFile({ ...createOwner(), place: '00000000' }, 1));
  await writeFile(path, writeLine(['record', 'a', 5, '/api/page-view', '{}']));
  const keep = keepOnDisk(folder);
  keep.open(() => {});
  t.after(() => keep.close());
  return {
    claimAfter: async (minutes: number) => {
      now += minutes * minuteMs;
      return (await keep.claim(100)).length;
    },
    changeFile: () => utimes(path, now / 1000, now / 1000),
  };
}

test('leaves a file to its owner after both have slept, if the owner shows that it is alive', async (t) => {
  const { claimAfter, changeFile } = await openBesideAnother(t);
  assert.equal(await claimAfter(1), 0);
  assert.equal(await claimAfter(60), 0);
  await changeFile();
  assert.equal(await claimAfter(1), 0);
  assert.equal(await claimAfter(60), 0);
  assert.equal(await claimAfter(1), 1);
});

test('takes a file at its start that has been silent for long', async (t) => {
  const { claimAfter } = await openBesideAnother(t);
  assert.equal(await claimAfter(11), 1);
});
