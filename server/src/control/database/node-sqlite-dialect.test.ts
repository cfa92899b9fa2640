import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { makeFolder } from '../test-control.ts';
import { openSqlite } from './open-sqlite.ts';

async function open(t: TestContext) {
  const path = join(await makeFolder(t), 'control.db');
  const started = once(process, 'worker');
  const database = await openSqlite(path, { isOnThisThread: false });
  t.after(() => database.close());
  const run = (text: string) => sql<{ number: number }>`${sql.raw(text)}`.execute(database.db);
  await run('create table numbers (number integer primary key)');
  const [thread] = (await started) as [Worker];
  return { path, database, run, thread };
}

test('reports SQLite’s own error when a statement fails', async (t) => {
  const { run } = await open(t);
  await run('insert into numbers values (1)');
  await assert.rejects(run('insert into numbers values (1)'), {
    message: /UNIQUE constraint failed/,
    code: 'ERR_SQLITE_ERROR',
    errcode: 1555,
  });
  await assert.rejects(run('select * from nowhere'), { message: /no such table/, errcode: 1 });
});

test('a transaction that fills the disk fails with that error, not with that of its rollback', async (t) => {
  const { database, run } = await open(t);
  await run('create table texts (text)');
  const { page_count: pages } = (await sql<{ page_count: number }>`pragma page_count`.execute(database.db))
    .rows[0]!;
  await run(`pragma max_page_count = ${pages + 2}`);
  const filled = database.db.transaction().execute(async (trx) => {
    await sql`insert into texts values (zeroblob(1000000))`.execute(trx);
  });
  await assert.rejects(filled, { message: 'database or disk is full', errcode: 13 });
  await run('insert into numbers values (7)');
});

test('the event loop stays free while another process holds the write lock', async (t) => {
  const { path, run } = await open(t);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('begin immediate');
  let isWritten = false;
  const written = run('insert into numbers values (1)').then(() => {
    isWritten = true;
  });
  // On this thread, the wait would be one turn that ends only when SQLite gives up.
  for (let turns = 0; turns < 1000; turns++) await new Promise(setImmediate);
  assert.equal(isWritten, false);
  other.exec('commit');
  await written;
});

test('rolls back a transaction whose thread ends, and starts a new thread for the next statement', async (t) => {
  const { database, run, thread } = await open(t);
  const lost = database.db.transaction().execute(async (trx) => {
    await sql`insert into numbers values (1)`.execute(trx);
    await thread.terminate();
    // This must not go to the next thread, where nothing would undo it.
    await sql`insert into numbers values (2)`.execute(trx);
  });
  await assert.rejects(lost, /The thread for the database .*control\.db does not answer/);
  await run('insert into numbers values (3)');
  assert.deepEqual((await run('select number from numbers')).rows, [{ number: 3 }]);
});

test('a statement that waits for its thread fails when the thread ends', async (t) => {
  const { path, run, thread } = await open(t);
  const other = new DatabaseSync(path);
  t.after(() => other.close());
  other.exec('begin immediate');
  const waiting = run('insert into numbers values (1)');
  await new Promise(setImmediate);
  await Promise.all([assert.rejects(waiting, /has ended/), thread.terminate()]);
});

test('reports a file that is not a database with SQLite’s code', async (t) => {
  const path = join(await makeFolder(t), 'control.db');
  await writeFile(
    path,
    'a letter to Ada, long enough to be looked at as a header of a database, and more of it',
  );
  const database = await openSqlite(path, { isOnThisThread: false });
  t.after(() => database.close());
  await assert.rejects(sql`select 1`.execute(database.db), {
    message: 'file is not a database',
    code: 'ERR_SQLITE_ERROR',
    errcode: 26,
  });
});
