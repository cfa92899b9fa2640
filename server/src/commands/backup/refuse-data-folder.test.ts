import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { refuseDataFolder } from './refuse-data-folder.ts';

test('a place is never a data folder, nor in one, nor around one', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true }));
  const data = join(root, 'data');
  await mkdir(join(data, 'journal'), { recursive: true });
  for (const name of ['other', 'marked']) await mkdir(join(root, name, 'control'), { recursive: true });
  await writeFile(join(root, 'other', 'control', 'control.db'), '');
  await writeFile(join(root, 'marked', 'installation'), '');
  await symlink(data, join(root, 'link'));
  await symlink(root, join(root, 'up'));
  const check = (name: string, dataDir = data) => refuseDataFolder({ name }, dataDir);
  for (const name of ['data', 'data/new', 'data/journal', 'link', 'link/a/b', 'up/data'])
    assert.throws(() => check(join(root, name)), /is in the data folder\. Choose/, name);
  for (const name of [root, join(root, 'up'), '/'])
    assert.throws(() => check(name), /contains the data folder\. Choose/, name);
  for (const name of ['other', 'marked'])
    assert.throws(() => check(join(root, name)), /is the data folder of a server/, name);
  assert.throws(() => check(data, join(root, 'link', 'new')), /contains the data folder/);
  for (const name of [join(root, 'data-backups'), join(root, 'up', 'new'), 's3://bucket/data']) check(name);
});
