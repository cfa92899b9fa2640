import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Running nodes look at the revision only, so every change that they must see ends here. */
export async function raiseRevision(trx: Kysely<Tables>): Promise<void> {
  await trx
    .updateTable('control_state')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
}
