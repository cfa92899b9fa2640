import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createFakeClock, makeFolder, silentLog } from '../test-control.ts';
import { openTestDatabase } from '../test-database.ts';
import { type Migration, migrate } from './migrate.ts';

const createTable = (number: number, name: string): Migration => ({
  number,
  name,
  async up(db) {
    await db.schema.createTable(name).addColumn('id', 'integer').execute();
  },
});

test('keeps the migrations before a failing one, and nothing of the failing one', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  const failing: Migration = {
    number: 2,
    name: 'failing',
    async up(db, types) {
      await createTable(2, 'half').up(db, types);
      throw new Error('disk on fire');
    },
  };
  const tables = async () => (await database.db.introspection.getTables()).map(({ name }) => name);

  await assert.rejects(migrate({ ...options, migrations: [createTable(1, 'one'), failing] }), /disk on fire/);
  assert.deepEqual(await tables(), ['migrations', 'one']);

  await migrate({ ...options, migrations: [createTable(1, 'one'), createTable(2, 'two')] });
  assert.deepEqual(await tables(), ['migrations', 'one', 'two']);
});

test('runs a migration once when two processes start together', async (t) => {
  const folder = await makeFolder(t);
  const databases = [
    await openTestDatabase(t, folder, { hasOwnThread: true }),
    await openTestDatabase(t, folder, { hasOwnThread: true }),
  ];
  let runs = 0;
  const slow: Migration = {
    number: 1,
    name: 'slow',
    async up(db, types) {
      runs++;
      // Lets the other one get as far as it can while this transaction is open.
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      await createTable(1, 'slow').up(db, types);
    },
  };
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const log = silentLog();
  await Promise.all(databases.map((database) => migrate({ database, migrations: [slow], clock, log })));
  assert.equal(runs, 1);
});

test('runs a migration whose number was missing, even after a later one', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  const [one, two, four] = [createTable(1, 'one'), createTable(2, 'two'), createTable(4, 'four')] as const;
  await migrate({ ...options, migrations: [one, four] });
  await migrate({ ...options, migrations: [one, two, four] });
  const tables = (await database.db.introspection.getTables()).map(({ name }) => name);
  assert.deepEqual(tables.sort(), ['four', 'migrations', 'one', 'two']);
});

test('refuses a database that a newer version has used', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  await migrate({ ...options, migrations: [createTable(1, 'one'), createTable(4, 'four')] });
  await assert.rejects(
    migrate({ ...options, migrations: [createTable(1, 'one'), createTable(3, 'three')] }),
    /has version 4, but this Trackside supports versions up to 3/,
  );
});
