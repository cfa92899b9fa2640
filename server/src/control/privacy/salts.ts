import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { refuseOldKey } from '../database/key-check.ts';
import { openSalt, sealedAt } from '../database/sealed-values.ts';
import type { SecretBox } from '../database/secret-box.ts';

/** The random salt of each date ('YYYY-MM-DD'), shared by all nodes. */
export type Salts = {
  /** Creates the salts that are missing. If two nodes do so at once, both end up with the same ones. */
  ensure(dates: string[]): Promise<void>;
  load(): Promise<Map<string, Buffer>>;
  /**
   * Adds time for which a node has seen the date as ended, and returns that node's new total. `ownTotalMs` is
   * the total that the node got last time. It is undefined after a start, and the node then continues from
   * the stored total. Nodes that watch side by side count the same hour once, and a reset by one of them
   * affects all.
   */
  addObservedAfterEnd(observation: {
    date: string;
    elapsedMs: number;
    ownTotalMs: number | undefined;
  }): Promise<number>;
  resetObserved(date: string): Promise<void>;
  /**
   * False if the salt is gone from the tables, but a reader kept it in a file. In that case, call `scrub`
   * again later.
   */
  destroy(date: string): Promise<{ isErased: boolean }>;
  /** Removes what destroyed salts left in files. Returns false if the database is being read. */
  scrub(): Promise<boolean>;
};

const saltBytes = 32;

/**
 * Salts are stored encrypted, because archives and replicas of PostgreSQL keep what was deleted. Without the key
 * file, nothing in them can be used.
 */
export function createSalts({ database, box }: { database: Database; box: SecretBox }): Salts {
  const { db } = database;

  return {
    async ensure(dates) {
      if (dates.length === 0) return;
      await inTransaction(db, async (trx) => {
        await refuseOldKey(trx, box);
        await trx
          .insertInto('salts')
          .values(
            dates.map((date) => ({
              date,
              salt: box.seal(randomBytes(saltBytes), sealedAt.salt(date)),
              observed_after_end_ms: 0,
            })),
          )
          .onConflict((conflict) => conflict.column('date').doNothing())
          .execute();
      });
    },

    async load() {
      const rows = await db.selectFrom('salts').select(['date', 'salt']).orderBy('date').execute();
      return new Map(rows.map(({ date, salt }) => [date, openSalt(box, date, salt)]));
    },

    async addObservedAfterEnd({ date, elapsedMs, ownTotalMs }) {
      return await inTransaction(db, async (trx) => {
        const row = await trx
          .selectFrom('salts')
          .select('observed_after_end_ms')
          .where('date', '=', date)
          .executeTakeFirst();
        if (row === undefined) return 0;
        const stored = row.observed_after_end_ms;
        const total = Math.min(ownTotalMs ?? stored, stored) + Math.floor(elapsedMs);
        if (total > stored) {
          await trx
            .updateTable('salts')
            .set({ observed_after_end_ms: total })
            .where('date', '=', date)
            .execute();
        }
        return total;
      });
    },

    async resetObserved(date) {
      await db
        .updateTable('salts')
        .set({ observed_after_end_ms: 0 })
        .where('date', '=', date)
        .where('observed_after_end_ms', '>', 0)
        .execute();
    },

    async destroy(date) {
      await db.deleteFrom('salts').where('date', '=', date).execute();
      return { isErased: await database.scrub() };
    },

    scrub: () => database.scrub(),
  };
}
