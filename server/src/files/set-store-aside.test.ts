import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { takeFolderLock } from './folder-lock.ts';
import { setStoreAside } from './set-store-aside.ts';

const nowMs = Date.parse('2026-03-10T09:08:07.654Z');

test('renames the folder after the time, and keeps its content', async (t) => {
  const folder = await makeFolder(t);
  const store = join(folder, 'store');
  await mkdir(store);
  await writeFile(join(store, 'part'), 'rows');
  const aside = await setStoreAside(store, nowMs);
  assert.equal(aside, join(folder, 'store.aside-2026-03-10T09-08-07'));
  assert.deepEqual(await readdir(folder), ['store.aside-2026-03-10T09-08-07', 'store.lock']);
  assert.equal(await readFile(join(aside, 'part'), 'utf8'), 'rows');
});

test('does nothing without a store', async (t) => {
  const folder = await makeFolder(t);
  assert.equal(await setStoreAside(join(folder, 'store'), nowMs), undefined);
  assert.deepEqual(await readdir(folder), []);
});

test('does not touch a store that somebody has open', async (t) => {
  const store = join(await makeFolder(t), 'store');
  await mkdir(store);
  const lock = takeFolderLock(`${store}.lock`);
  await assert.rejects(setStoreAside(store, nowMs), /store is in use by another process/);
  lock?.release();
  assert.equal(await setStoreAside(store, nowMs), `${store}.aside-2026-03-10T09-08-07`);
});

test('two stores set aside within a second are both kept', async (t) => {
  const folder = await makeFolder(t);
  const store = join(folder, 'store');
  const kept: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    await mkdir(store);
    await writeFile(join(store, name), name);
    kept.push((await setStoreAside(store, nowMs))!);
  }
  assert.equal(new Set(kept).size, 3);
  assert.deepEqual(await Promise.all(kept.map((aside) => readdir(aside))), [
    ['first'],
    ['second'],
    ['third'],
  ]);
});
