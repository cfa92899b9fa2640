import assert from 'node:assert/strict';
import { open, readdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { hasSpace, isNoSpace } from './disk-space.ts';

test('recognizes a full disk by the errors of the system and of SQLite', async () => {
  const full = await open('/dev/full', 'w');
  await assert.rejects(full.writeFile('x'), isNoSpace);
  await full.close();
  const database = new DatabaseSync(':memory:');
  database.exec('create table t (x); pragma max_page_count = 2');
  assert.throws(() => database.exec('insert into t values (zeroblob(100000))'), isNoSpace);
  database.close();
  assert.equal(isNoSpace(Object.assign(new Error('over quota'), { code: 'EDQUOT' })), true);
  for (const other of [undefined, new Error('no'), Object.assign(new Error('no'), { code: 'EACCES' })])
    assert.equal(isNoSpace(other), false);
});

test('tests whether there is space, and leaves nothing behind', async (t) => {
  const folder = await makeFolder(t);
  assert.equal(await hasSpace(folder), true);
  assert.deepEqual(await readdir(folder), []);
  await assert.rejects(hasSpace(`${folder}/none`), { code: 'ENOENT' });
});
