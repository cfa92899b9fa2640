import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Running nodes watch only the revision, so every change that they must see has to call this. */
export async function raiseRevision(trx: Kysely<Tables>): Promise<void> {
  await trx
    .updateTable('control_state')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
}
