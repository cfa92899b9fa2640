import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../test/support/wait-for.ts';
import { makeFolder } from '../control/test-control.ts';
import { takeFolderLock } from './folder-lock.ts';
import { holdFolder } from './hold-folder.ts';

/** Often, so that no test waits for long. */
const often = { lookEveryMs: 50 };

/** Tries the locks in another process, because the system's locks belong to a process. */
function isFreeFor(files: readonly string[]): boolean {
  const module = fileURLToPath(new URL('./hold-folder.ts', import.meta.url));
  const code = `import { holdFolder } from ${JSON.stringify(module)};
    const lock = holdFolder(${JSON.stringify(files)}, () => {}, { probeMs: 50 });
    process.exit(lock === undefined ? 3 : 4);`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code]);
  assert.ok(status === 3 || status === 4, String(stderr));
  return status === 4;
}

test('one file is enough to keep another process out, and a removed one is locked again', async (t) => {
  const folder = await makeFolder(t);
  const files = [join(folder, 'a.lock'), join(folder, 'b.lock')];
  assert.equal(isFreeFor(files), true);
  const lock = holdFolder(files, () => assert.fail('nobody else has it'), often);
  for (const removed of files) {
    rmSync(removed);
    assert.equal(isFreeFor(files), false);
    rmSync(removed, { force: true });
    await waitFor('the file to be locked again', () => existsSync(removed) && !isFreeFor([removed]));
  }
  lock?.release();
  assert.equal(isFreeFor(files), true);
});

test('reports that somebody else has replaced one of the files', async (t) => {
  const folder = await makeFolder(t);
  const file = join(folder, 'a.lock');
  const lost: string[] = [];
  const lock = holdFolder([file], (which) => lost.push(which), often);
  t.after(() => lock?.release());
  mkdirSync(join(folder, 'elsewhere'));
  const other = join(folder, 'elsewhere', 'b.lock');
  const theirs = takeFolderLock(other);
  t.after(() => theirs?.release());
  renameSync(other, file);
  await waitFor('the loss to be noticed', () => lost.length > 0);
  assert.deepEqual(lost, [file]);
});
