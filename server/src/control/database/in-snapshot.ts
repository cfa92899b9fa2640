import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Runs queries that all see control as it is at one moment. They neither wait for those who write nor hold them
 * up.
 */
export async function inSnapshot<T>(
  db: Kysely<Tables>,
  read: (trx: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  return await db.transaction().setAccessMode('read only').execute(read);
}
