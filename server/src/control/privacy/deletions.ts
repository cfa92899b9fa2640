import type { Clock } from '../../time/clock.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { raiseRevision } from '../database/raise-revision.ts';
import { websiteNotFound } from '../websites/website-row.ts';

/** The first and the last step of deleting a website. Its records are removed in between. */
export type Deletions = {
  /**
   * From now on, the website's keys don't work and its records are not wanted. Repeating this for the same
   * website changes nothing.
   */
  begin(id: number): Promise<{ id: number; domain: string; deletingSince: number }>;
  /**
   * Removes a website whose deletion has begun, with its keys, read tokens, grants, notes, funnels, segments,
   * goals, usage, tallies and erasures.
   */
  finish(id: number): Promise<void>;
};

/** The tables that have no reference to the website. */
const ofWebsite = [
  'usage',
  'tallies',
  'tally_refusals',
  'tally_streams',
  'tally_stream_ends',
  'tally_keys',
  'erasures',
  'erased_visits',
] as const;

export function createDeletions(options: { database: Database; clock: Clock }): Deletions {
  const { clock } = options;
  const { db } = options.database;
  return {
    async begin(id) {
      return await inTransaction(db, async (trx) => {
        const row = await trx
          .updateTable('websites')
          .set((eb) => ({
            deleting_since: eb.fn.coalesce('deleting_since', eb.val(clock.now())),
            version: eb('version', '+', 1),
          }))
          .where('id', '=', id)
          .returning(['domain', 'deleting_since'])
          .executeTakeFirst();
        if (row === undefined) throw websiteNotFound(id);
        await raiseRevision(trx);
        return { id, domain: row.domain, deletingSince: row.deleting_since! };
      });
    },

    async finish(id) {
      await inTransaction(db, async (trx) => {
        // Only a deletion that has begun may remove a website. Everything that refers to the website goes
        // with it.
        await trx
          .deleteFrom('websites')
          .where('id', '=', id)
          .where('deleting_since', 'is not', null)
          .execute();
        const left = await trx.selectFrom('websites').select('id').where('id', '=', id).executeTakeFirst();
        if (left !== undefined) throw new Error(`website ${id}: expected its deletion to have begun`);
        for (const table of ofWebsite) await trx.deleteFrom(table).where('website_id', '=', id).execute();
        await raiseRevision(trx);
      });
    },
  };
}
