import type { Kysely } from 'kysely';
import { isConflict } from './postgres-error.ts';
import type { Tables } from './tables.ts';

const maxAttempts = 5;

/**
 * Runs the work in the current transaction, or in a new one. On PostgreSQL, a transaction that was rolled
 * back because of another one is retried, so the work must affect only the database.
 */
export async function inTransaction<T>(
  db: Kysely<Tables>,
  work: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  if (db.isTransaction) return await work(db);
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === maxAttempts || !isConflict(error)) throw error;
    }
  }
}
