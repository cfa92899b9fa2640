import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { explain } from '../data/export.ts';
import { nameControlFault } from './with-control.ts';

const config = { dataDir: '/data' };

/** Returns the error that SQLite gives on a full disk. */
function fullDisk(): unknown {
  const database = new DatabaseSync(':memory:');
  database.exec('pragma max_page_count = 2; create table t (bytes blob)');
  try {
    database.exec('insert into t values (zeroblob(1000000))');
  } catch (error) {
    return error;
  }
}

test('a full disk is reported with the place of the control database', () => {
  const file = join('/data', 'control', 'control.db');
  const { message } = nameControlFault(fullDisk(), config) as Error;
  const says = `the disk is full: the control database ${file} cannot be written`;
  const todo = 'Free up space, or inodes if those ran out (df, df -i), then try again.';
  assert.equal(message, `T${says.slice(1)}. ${todo}`);
  assert.deepEqual(explain(fullDisk(), config), { why: says, todo: ` ${todo}` });
});

test('other errors are passed on as they are', () => {
  const bug = new Error('a bug');
  assert.equal(nameControlFault(bug, config), bug);
  assert.deepEqual(explain(bug, config), { why: 'a bug', todo: '' });
});
