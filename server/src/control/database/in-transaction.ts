import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Runs the work in the current transaction, or in a new one. */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? await work(db) : await db.transaction().execute(work);
}
