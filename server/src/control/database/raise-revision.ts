import { type Kysely, PostgresAdapter, sql } from 'kysely';
import { changeChannel } from './listen-for-changes.ts';
import type { Tables } from './tables.ts';

/** Running nodes watch only the revision, so every change that they must see has to call this. */
export async function raiseRevision(trx: Kysely<Tables>): Promise<void> {
  await trx
    .updateTable('control_state')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
  // It arrives when the transaction is committed.
  if (trx.getExecutor().adapter instanceof PostgresAdapter)
    await sql`select pg_notify(${changeChannel}, '')`.execute(trx);
}
