import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listWorkerFolders, workerFolder } from './worker-folders.ts';

test('the first worker has the journal of the folder, and the others are found by their number', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  assert.deepEqual(await listWorkerFolders(root), [workerFolder(root, 1)]);
  for (const name of ['10', '2', '1', '02', 'count', '0'])
    await mkdir(join(root, 'workers', name), { recursive: true });
  const found = await listWorkerFolders(root);
  assert.deepEqual(
    found.map(({ worker, journal }) => [worker, journal]),
    [
      [1, join(root, 'journal')],
      [2, join(root, 'workers', '2', 'journal')],
      [10, join(root, 'workers', '10', 'journal')],
    ],
  );
});
