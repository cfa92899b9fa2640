import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Does the work in the transaction that is under way, or in one of its own. */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return db.isTransaction ? await work(db) : await db.transaction().execute(work);
}
