import assert from 'node:assert/strict';
import { join } from 'node:path';
import { sql } from 'kysely';
import { readSystemFault } from '../../files/system-fault.ts';
import { openControl } from '../open-control.ts';
import { createFakeClock, createTestLog, makeFolder, openTestControl } from '../test-control.ts';
import { databaseUrlOf, openTestDatabase, runSql, testOnPostgres } from '../test-database.ts';
import { inTransaction } from './in-transaction.ts';
import { openPostgres } from './open-postgres.ts';

const website = { domain: 'example.com', timezone: 'UTC', contingent: null };

testOnPostgres('sorts texts by their bytes, although the database sorts by a language', async (t) => {
  const { control, folder } = await openTestControl(t);
  const names = ['b', 'B', 'a', 'ä', 'A', '_'];
  for (const node of names)
    await control.usage.checkpoint({ node, position: { segment: 1, offset: 0 }, settled: [] });
  const sorted = await runSql(folder, 'select node from usage_positions order by node');
  assert.deepEqual(
    sorted.map(({ node }) => node),
    ['A', 'B', '_', 'a', 'b', 'ä'],
  );
  const [language] = await runSql(
    folder,
    "select string_agg(n, '' order by n) as n from unnest(?::text[]) n",
    [...names],
  );
  assert.notEqual(language?.n, 'AB_abä');
});

testOnPostgres('finds nothing for a text that PostgreSQL cannot hold', async (t) => {
  const { control } = await openTestControl(t);
  assert.equal(await control.users.find('ada\0@example.com'), undefined);
  assert.equal(await control.users.verify('\ud800', 'tea at eleven'), undefined);
});

testOnPostgres('one transaction writes at a time, and the next one waits for it', async (t) => {
  const folder = await makeFolder(t);
  const [one, other] = [await openTestDatabase(t, folder), await openTestDatabase(t, folder)];
  const order: string[] = [];
  const began = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const first = inTransaction(one.db, async () => {
    began.resolve();
    await mayEnd.promise;
    order.push('first');
  });
  await began.promise;
  const second = inTransaction(other.db, async () => void order.push('second'));
  const waiting = "select 1 from pg_locks where locktype = 'advisory' and not granted";
  await t.waitFor(async () => assert.equal((await runSql(folder, waiting)).length, 1), { timeout: 300_000 });
  mayEnd.resolve();
  await Promise.all([first, second]);
  assert.deepEqual(order, ['first', 'second']);
});

testOnPostgres('repeats a transaction that was undone in favor of another one', async (t) => {
  const { db } = await openTestDatabase(t, await makeFolder(t));
  let attempts = 0;
  const result = await inTransaction(db, async (trx) => {
    attempts++;
    const code = ['40001', '40P01'][attempts - 1];
    if (code !== undefined)
      await sql.raw(`do $$ begin raise exception 'later' using errcode = '${code}'; end $$`).execute(trx);
    return 'done';
  });
  assert.deepEqual([result, attempts], ['done', 3]);
});

testOnPostgres('an error has neither values of rows nor the password', async (t) => {
  const folder = await makeFolder(t);
  const url = await databaseUrlOf(t, folder);
  const { db } = await openTestDatabase(t, folder);
  await sql`create table secrets (email text unique)`.execute(db);
  const add = () => sql`insert into secrets values ('ada@example.com')`.execute(db);
  await add();
  const { log, messages } = createTestLog();
  await assert.rejects(add(), (error: Error) => {
    log.error({ err: error }, JSON.stringify({ ...error, message: error.message }));
    assert.match(error.message, /unique constraint/);
    return true;
  });
  assert.doesNotMatch(messages.join(), /ada@example/);

  const wrong = openPostgres(url!.replace('trackside@', 'nobody:p4ssw0rd@'));
  t.after(() => wrong.close());
  await assert.rejects(sql`select 1`.execute(wrong.db), (error: Error) => {
    assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /p4ssw0rd/);
    assert.match(error.message, /"nobody"/);
    return true;
  });
});

testOnPostgres('a server that cannot be reached is a fault of the system, by its name', async (t) => {
  const nowhere = openPostgres(`postgres://localhost/trackside?host=${await makeFolder(t)}`);
  t.after(() => nowhere.close());
  await assert.rejects(sql`select 1`.execute(nowhere.db), (error: Error) => {
    assert.equal(readSystemFault(error)?.kind, 'away');
    assert.match(error.message, /database trackside on .* cannot be used.*Check that PostgreSQL is running/s);
    return true;
  });
});

testOnPostgres('a lost connection fails its query, and the next one uses another', async (t) => {
  const folder = await makeFolder(t);
  const { db } = await openTestDatabase(t, folder);
  const slow = sql`select pg_sleep(60)`.execute(db);
  const others = "select pg_terminate_backend(pid) from pg_stat_activity where query like '%pg_sleep(60)%'";
  const end = `${others} and pid <> pg_backend_pid() and state = 'active'`;
  const lost = assert.rejects(slow, (error) => readSystemFault(error)?.kind === 'away');
  await t.waitFor(async () => assert.equal((await runSql(folder, end)).length, 1), { timeout: 300_000 });
  await lost;
  await sql`select 1`.execute(db);
});

testOnPostgres(
  'refuses another key from the first start on, and needs the key of the first node',
  async (t) => {
    const { folder } = await openTestControl(t);
    const databaseUrl = await databaseUrlOf(t, folder);
    const clock = createFakeClock('2026-03-10T09:00:00Z');
    const { log } = createTestLog();
    const secretKeyFile = join(await makeFolder(t), 'another.key');
    const open = () => openControl({ folder, databaseUrl, secretKeyFile, clock, log });
    await assert.rejects(open(), { name: 'SecretKeyError', message: /another\.key is missing/ });
    const other = await openTestControl(t, { folder: await makeFolder(t) });
    await other.control.close();
    await assert.rejects(
      openControl({ folder, databaseUrl, secretKeyFile: join(other.folder, 'secret-key'), clock, log }),
      { message: /not the one/ },
    );
  },
);

testOnPostgres('does not take an empty database for one that must exist', async (t) => {
  const folder = await makeFolder(t);
  const options = {
    folder,
    databaseUrl: await databaseUrlOf(t, folder),
    secretKeyFile: join(folder, 'secret-key'),
    clock: createFakeClock('2026-03-10T09:00:00Z'),
    log: createTestLog().log,
  };
  await assert.rejects(openControl({ ...options, mustExist: true }), { name: 'ControlMissingError' });
  const control = await openControl(options);
  await control.websites.add(website);
  await control.close();
  const again = await openControl({ ...options, mustExist: true });
  assert.equal((await again.websites.list()).length, 1);
  await again.close();
});
