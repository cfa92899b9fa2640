import assert from 'node:assert/strict';
import { copyFile, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DiskFile } from './disk-file.ts';
import type { KeptRecord } from './disk-keep.ts';
import { type DiskNote, readLines } from './disk-line.ts';
import { listFiles, makeFolder } from './test-processes.ts';

const record = (key: string): DiskNote => ['record', key, 5, '/api/page-view', '{}', null];

async function openFile(t: TestContext) {
  const folder = await makeFolder(t);
  const [path, freePath] = [join(folder, 'own'), join(folder, 'free')];
  const faults: unknown[] = [];
  const gone: number[] = [];
  const open = (records: readonly KeptRecord[], bytes: number) => {
    const onFault = (error: unknown) => faults.push(error);
    const onGone = (count: number) => gone.push(count);
    const file = new DiskFile({ path, records, bytes, onFault, onGone });
    t.after(() => file.release(freePath));
    return file;
  };
  const file = open([], 0);
  for (const note of [record('a'), record('b'), record('c'), ['try', 'a', 7, 3], ['done', 'b']] as const)
    file.note(note);
  await file.written();
  const read = async (name: string) =>
    readLines(await readFile(join(folder, name))).records.map(({ key, tried }) => [key, tried?.at]);
  return { folder, path, freePath, file, open, faults, gone, read };
}

const whole = [
  ['a', 7],
  ['c', undefined],
];

test('writes a file again that was deleted, with what is known about its records', async (t) => {
  const { path, file, gone, faults, read } = await openFile(t);
  await rm(path);
  await file.touch(Date.now());
  assert.deepEqual(await read('own'), whole);
  file.note(record('d'));
  await file.touch(Date.now());
  assert.deepEqual(await read('own'), [...whole, ['d', undefined]]);
  assert.deepEqual([gone, faults], [[2], []]);
});

test('no longer writes to a file that another process has taken', async (t) => {
  const { folder, path, freePath, file, read } = await openFile(t);
  await rename(path, join(folder, 'taken'));
  await file.touch(Date.now());
  for (const key of ['a', 'c']) file.note(['done', key]);
  file.note(record('d'));
  await file.release(freePath);
  assert.deepEqual(await read('taken'), whole);
  assert.deepEqual(await read('free'), [['d', undefined]]);
});

test('continues in a file that was replaced by a copy', async (t) => {
  const { path, freePath, file, read } = await openFile(t);
  await copyFile(path, `${path}.copy`);
  await rename(`${path}.copy`, path);
  file.note(record('d'));
  await file.release(freePath);
  assert.deepEqual(await read('free'), [...whole, ['d', undefined]]);
});

test('leaves all records behind if their file is gone at the end', async (t) => {
  const { folder, path, freePath, file, gone, read } = await openFile(t);
  await rm(path);
  file.note(record('d'));
  await file.release(freePath);
  assert.deepEqual(await read('free'), [...whole, ['d', undefined]]);
  assert.deepEqual([gone, await listFiles(folder)], [[3], ['free']]);
});

test('leaves all records behind if their file is gone when the process exits', async (t) => {
  const { folder, path, freePath, file, faults, read } = await openFile(t);
  await rm(path);
  file.releaseNow(freePath);
  assert.deepEqual(await read('free'), whole);
  assert.deepEqual([faults, await listFiles(folder)], [[], ['free']]);
});

test('notices that a claimed file was deleted before the first note', async (t) => {
  const { path, open, read } = await openFile(t);
  const bytes = await readFile(path);
  const claimed = open(readLines(bytes).records, bytes.length);
  await rm(path);
  claimed.note(['try', 'c', 9]);
  await claimed.written();
  await claimed.touch(Date.now());
  assert.deepEqual(await read('own'), [
    ['a', 7],
    ['c', 9],
  ]);
});

test('says nothing about an empty file that was deleted', async (t) => {
  const { folder, path, file, gone } = await openFile(t);
  for (const key of ['a', 'c']) file.note(['done', key]);
  await file.written();
  await rm(path);
  await file.touch(Date.now());
  assert.deepEqual([gone, await listFiles(folder)], [[], []]);
});

test('shows that it is alive even while its file is empty', async (t) => {
  const { path, file } = await openFile(t);
  for (const key of ['a', 'c']) file.note(['done', key]);
  await file.written();
  await file.touch(1000);
  const { size, mtimeMs } = await stat(path);
  assert.deepEqual([size, mtimeMs], [0, 1000]);
});
