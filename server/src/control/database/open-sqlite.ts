import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Kysely, sql } from 'kysely';
import { makeFolder } from '../../files/make-folder.ts';
import { syncFolder } from '../../files/sync-folder.ts';
import { createLookUp } from '../accounts/create-look-up.ts';
import { checkPages } from './check-pages.ts';
import type { Database } from './database.ts';
import { nodeSqliteDialect } from './node-sqlite-dialect.ts';
import type { Tables } from './tables.ts';

/**
 * A lookup takes well under a millisecond. One that is refused would have had to wait for something else to
 * end.
 */
const lookUpLimits = { places: 4, maxWaiting: 60 };

export async function openSqlite(path: string, options: { isOnThisThread: boolean }): Promise<Database> {
  await makeFolder(dirname(path));
  await createPrivateFile(path);
  const db = new Kysely<Tables>({ dialect: nodeSqliteDialect(path, options) });
  return {
    kind: 'sqlite',
    db,
    bytesType: 'blob',
    lookUp: createLookUp(lookUpLimits),
    async scrub() {
      const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
      return rows[0]?.busy === 0;
    },
    watchChanges: () => ({ stop: async () => {} }),
    checkPages: (check) => checkPages(db, path, check),
    close: () => db.destroy(),
  };
}

/**
 * SQLite gives its -wal and -shm files the mode of the main file, so this one call makes all three private.
 */
async function createPrivateFile(path: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  await file.close();
  await syncFolder(dirname(path));
}
