import { readdir, readFile } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import { checkLayout } from './cluster/check-layout.ts';
import { queryRows, type StoreClient } from './create-store-client.ts';
import { writeStoreUuid } from './store-uuid.ts';

type Migration = { number: number; name: string; statements: string[] };

const folder = new URL('./migrations/', import.meta.url);

/**
 * Brings the store to the schema of this version. A migration is noted after its last statement, and every
 * statement can run twice (`if not exists`). So after a crash in between, the migration just runs again.
 */
export async function migrateStore(client: StoreClient): Promise<{ applied: number[] }> {
  const shards = await checkLayout(client);
  await client.command({ query: historyTable });
  const migrations = await readMigrations();
  const done = await readHistory(client);
  refuseNewerStore(done, migrations);
  const applied: number[] = [];
  for (const migration of migrations) {
    if (done.has(migration.number)) continue;
    // Another server may have done it in the meantime, and uses the tables already.
    if ((await readHistory(client)).has(migration.number)) continue;
    for (const query of migration.statements) await client.command({ query });
    await client.command({
      query: `insert into schema_migrations (number, name) select {number:UInt32}, {name:String}`,
      query_params: { number: migration.number, name: migration.name },
    });
    applied.push(migration.number);
  }
  await writeStoreUuid(client, shards);
  return { applied };
}

/** Whether the store has the schema of this version. Also false while there is no store yet. */
export async function isStoreMigrated(client: StoreClient): Promise<boolean> {
  try {
    const [migrations, done] = await Promise.all([readMigrations(), readHistory(client)]);
    return migrations.every(({ number }) => done.has(number));
  } catch {
    return false;
  }
}

const historyTable = `
  create table if not exists schema_migrations
  (
      number UInt32,
      name String,
      applied_at DateTime('UTC') default now('UTC')
  )
  engine = MergeTree
  order by number
  settings fsync_after_insert = 1, fsync_part_directory = 1`;

async function readHistory(client: StoreClient): Promise<Set<number>> {
  const rows = await queryRows<{ number: number }>(client, { query: 'select number from schema_migrations' });
  return new Set(rows.map((row) => row.number));
}

function refuseNewerStore(done: ReadonlySet<number>, migrations: readonly Migration[]): void {
  const newestKnown = migrations.at(-1)?.number ?? 0;
  const newestDone = Math.max(0, ...done);
  if (newestDone <= newestKnown) return;
  throw new OperatorError(
    `the store has schema ${newestDone}, but this version of Trackside supports up to ${newestKnown}; ` +
      'start a newer version',
  );
}

export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(names.map(readMigration));
}

async function readMigration(name: string): Promise<Migration> {
  const number = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
  if (Number.isNaN(number)) throw new Error(`migrations/${name}: expected a name like 0001-records.sql`);
  const text = await readFile(new URL(name, folder), 'utf8');
  const statements = text
    .split(/;[ \t]*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return { number, name, statements };
}
