import type { Kysely } from 'kysely';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { ControlOpenError } from './control-error.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

export type Migration = {
  /** Its own number. Numbers that are missing don't matter: another branch may have them. */
  number: number;
  name: string;
  up(db: Kysely<unknown>, types: Pick<Database, 'bytesType'>): Promise<void>;
};

/**
 * Brings the schema up to date, with one transaction per migration. Each transaction checks again what was
 * applied, so that processes that start together don't repeat a migration.
 */
export async function migrate(options: {
  database: Database;
  migrations: readonly Migration[];
  clock: Clock;
  log: Log;
}): Promise<void> {
  const { database, migrations, clock, log } = options;
  await database.db.connection().execute(async (db) => {
    // This is an advisory lock on PostgreSQL. On SQLite it does nothing, because the write lock of each
    // transaction is enough.
    const { adapter } = db.getExecutor();
    const lock = { lockTable: 'migrations', lockRowId: 'migrations' };
    await adapter.acquireMigrationLock(db, lock);
    try {
      const applied = await appliedBefore(db, migrations);
      for (const migration of migrations.filter(({ number }) => !applied.has(number))) {
        const isApplied = await db.transaction().execute(async (trx) => {
          if ((await readApplied(trx)).has(migration.number)) return false;
          // Untyped, because a migration uses the tables of its time and not today's.
          await migration.up(trx as unknown as Kysely<unknown>, database);
          const { number, name } = migration;
          await trx.insertInto('migrations').values({ number, name, applied_at: clock.now() }).execute();
          return true;
        });
        if (isApplied) log.info({ migration: migration.name }, 'control database migrated');
      }
    } finally {
      await adapter.releaseMigrationLock(db, lock);
    }
  });
}

async function appliedBefore(
  db: Kysely<Tables>,
  migrations: readonly Migration[],
): Promise<ReadonlySet<number>> {
  await db.schema
    .createTable('migrations')
    .ifNotExists()
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const applied = await readApplied(db);
  const newest = Math.max(0, ...migrations.map(({ number }) => number));
  const newestApplied = Math.max(0, ...applied);
  if (newestApplied > newest) {
    throw new ControlOpenError(
      `The control database has version ${newestApplied}, ` +
        `but this Trackside supports versions up to ${newest}: a newer Trackside has used it. ` +
        'Start the newer version again, or restore a backup from before the update.',
    );
  }
  return applied;
}

async function readApplied(db: Kysely<Tables>): Promise<ReadonlySet<number>> {
  const rows = await db.selectFrom('migrations').select('number').execute();
  return new Set(rows.map(({ number }) => number));
}
