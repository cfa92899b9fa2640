import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runHere } from '../../../test/support/run-here.ts';
import { makeFolder } from '../../control/test-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { takeFolderLock } from '../../files/folder-lock.ts';
import { findOwnerBesideRoot, refuseRoot } from './refuse-root.ts';

const writesBesideServer = false;
const isRoot = process.getuid?.() === 0;
const onlyRoot = { skip: !isRoot && 'only root can give a folder to another user' };

/** Makes a folder that doesn't belong to root. */
async function makeOthersFolder(t: TestContext): Promise<string> {
  const dataDir = await makeFolder(t);
  if (isRoot) await chown(dataDir, 65534, 65534);
  return dataDir;
}

test("refuses root on another user's folder, and says who may do it", async (t) => {
  const dataDir = await makeOthersFolder(t);
  await assert.rejects(refuseRoot({ dataDir, uid: 0, writesBesideServer, command: 'verify' }), {
    name: 'CommandError',
    message: new RegExp(`as the owner of ${dataDir}, .*: sudo -u \\S+ trackside verify$`),
  });
  await refuseRoot({ dataDir, uid: 65534, writesBesideServer, command: 'verify' });
  await refuseRoot({ dataDir: join(dataDir, 'none'), uid: 0, writesBesideServer, command: 'verify' });
});

test('lets root go on while a server runs, which does the writing', async (t) => {
  const dataDir = await makeOthersFolder(t);
  const lock = takeFolderLock(dataFolder(dataDir).nodeLock);
  assert.equal(await findOwnerBesideRoot({ dataDir, uid: 0, writesBesideServer }), undefined);
  lock?.release();
  assert.notEqual(await findOwnerBesideRoot({ dataDir, uid: 0, writesBesideServer }), undefined);
});

test("refuses root's commands that write beside a running server", onlyRoot, async (t) => {
  const dataDir = await makeOthersFolder(t);
  const place = join(await makeFolder(t), 'backups');
  const lock = takeFolderLock(dataFolder(dataDir).nodeLock);
  t.after(() => lock?.release());
  const writing = [['backup', place], ['repair', '--yes'], ['move'], ['doctor', '--forget', 'store-gone-1']];
  for (const words of writing) {
    const { code, stderr } = await runHere([...words, '--data-dir', dataDir]);
    assert.deepEqual([code, stderr.includes('sudo -u')], [1, true], stderr);
  }
  assert.deepEqual(await readdir(dataDir), ['node.lock']);
  assert.equal(existsSync(place), false);
});

test('lets root go on where the server itself runs as root, whoever owns the folder', onlyRoot, async (t) => {
  const dataDir = await makeOthersFolder(t);
  await writeFile(dataFolder(dataDir).installation, '');
  assert.equal(await findOwnerBesideRoot({ dataDir, uid: 0, writesBesideServer }), undefined);
});

test(
  'commands of root leave nothing in such a folder, and doctor does not give it to root',
  onlyRoot,
  async (t) => {
    const dataDir = await makeOthersFolder(t);
    for (const words of [['verify'], ['website', 'list'], ['demo', '--days', '1']]) {
      const { code, stderr } = await runHere([...words, '--data-dir', dataDir]);
      assert.deepEqual([code, stderr.includes('sudo -u')], [1, true], stderr);
    }
    assert.deepEqual(await readdir(dataDir), []);
    const { stdout } = await runHere(['doctor', '--data-dir', dataDir]);
    assert.match(
      stdout,
      /user +.* runs as the user with the ID 0\n +→ run it as the owner: sudo -u \S+, or User=/,
    );
    assert.match(stdout, /engine +not checked, .*\n +→ sudo -u \S+ trackside doctor/);
    assert.doesNotMatch(stdout, /chown/);
    assert.deepEqual(await readdir(dataDir), []);
  },
);
