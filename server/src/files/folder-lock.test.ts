import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { takeFolderLock } from './folder-lock.ts';

const lockModule = new URL('./folder-lock.ts', import.meta.url).href;

test('is held by one process at a time', async (t) => {
  const file = join(await makeFolder(t), 'lock');
  const lock = takeFolderLock(file);
  assert.ok(lock !== undefined);
  assert.equal(takeFolderLock(file), undefined);
  assert.equal(takeFolderLock(file), undefined, 'a refused attempt does not loosen it');
  lock.release();
  const next = takeFolderLock(file);
  assert.ok(next !== undefined);
  next.release();
});

test('needs no other file, because the disk may have no inodes left', async (t) => {
  const folder = await makeFolder(t);
  const lock = takeFolderLock(join(folder, 'lock'));
  assert.deepEqual(await readdir(folder), ['lock']);
  lock?.release();
});

test('creates a file that only its owner can read, whatever the umask', async (t) => {
  const file = join(await makeFolder(t), 'lock');
  const before = process.umask(0o022);
  t.after(() => process.umask(before));
  takeFolderLock(file)?.release();
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test("names another user's lock, its owner, and what to do", {
  skip: process.getuid?.() !== 0 && 'only root can become another user',
}, async (t) => {
  const folder = await makeFolder(t);
  const file = join(folder, 'lock');
  await chown(folder, 65534, 65534);
  takeFolderLock(file)?.release();
  process.seteuid!(65534);
  t.after(() => process.seteuid!(0));
  assert.throws(() => takeFolderLock(file), {
    message:
      `Permission denied: the lock file ${file} belongs to the user with the ID 0. ` +
      'Delete it while no server and no command is running; it holds no data.',
  });
});

test('is released when the process that held it ends, even when it is killed', async (t) => {
  const file = join(await makeFolder(t), 'lock');
  const script = `
    const { takeFolderLock } = await import(${JSON.stringify(lockModule)});
    const lock = takeFolderLock(${JSON.stringify(file)});
    console.log(lock === undefined ? 'refused' : 'held');
    setInterval(() => lock, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [said] = await once(child.stdout.setEncoding('utf8'), 'data');
  assert.equal(said, 'held\n');
  assert.equal(takeFolderLock(file), undefined);
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  const lock = takeFolderLock(file);
  assert.ok(lock !== undefined);
  lock.release();
});

test('waits for a lock that is held only for a moment, if there is time', async (t) => {
  const file = join(await makeFolder(t), 'lock');
  const script = `
    const { takeFolderLock } = await import(${JSON.stringify(lockModule)});
    const lock = takeFolderLock(${JSON.stringify(file)});
    console.log('held');
    process.stdin.once('data', () => setTimeout(() => lock.release(), 50));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  await new Promise((resolve) => child.stdin.write('release', resolve));
  const lock = takeFolderLock(file, { waitMs: 30_000 });
  assert.ok(lock !== undefined);
  lock.release();
});

test('a file that cannot be a lock is an error, not a lock that someone holds', async (t) => {
  const folder = await makeFolder(t);
  assert.throws(() => takeFolderLock(join(folder, 'missing', 'lock')), /ENOENT/);
  const file = join(folder, 'text');
  await writeFile(file, 'this is no database, and long enough to be told from one '.repeat(20));
  assert.throws(() => takeFolderLock(file), /not a database/);
});
