import type { JournalPosition } from '../../records/journal-position.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { type TallyCheckpoint, writeTally } from '../tally/write-tally.ts';

/** Records that count toward a website's contingent. The month is 'YYYY-MM' in UTC. */
export type SettledUsage = { websiteId: number; month: string; records: number };

/** What each node has counted, and up to which place of its journal. Only the node itself writes its rows. */
export type Usage = {
  /**
   * What the node itself has counted, and what other nodes have counted, such as this one before it got a new
   * journal.
   */
  read(node: string): Promise<{
    position: JournalPosition | undefined;
    settled: SettledUsage[];
    leased: SettledUsage[];
    elsewhere: SettledUsage[];
  }>;
  /** What all other nodes together have counted in a month. */
  elsewhere(node: string, month: string): Promise<SettledUsage[]>;
  /**
   * Totals, tally and position change together. A total replaces the previous one, a tally is added to what was
   * counted before.
   */
  checkpoint(options: {
    node: string;
    position: JournalPosition;
    settled: SettledUsage[];
    tally?: TallyCheckpoint | undefined;
  }): Promise<void>;
  /**
   * Takes as much of a contingent as the node needs, if that much is left, or a little more where much is left.
   * `held` is what the node may accept until the answer comes, and replaces its lease. Returns how much it may
   * accept altogether, and what all other nodes may.
   */
  lease(options: {
    node: string;
    websiteId: number;
    month: string;
    held: number;
    needed: number;
    limit: number;
  }): Promise<{ leased: number; elsewhere: number }>;
  /** Lowers leases to these numbers. */
  giveBack(
    node: string,
    leases: readonly { websiteId: number; month: string; leased: number }[],
  ): Promise<void>;
  /** The months of websites of which a node has leased more than it has counted. */
  unusedLeases(node: string): Promise<{ websiteId: number; month: string }[]>;
  /**
   * Ends the leases of a node that is gone for good. What it has counted, or what was counted for it if that is
   * more, is used. Returns how many records others may use again.
   */
  endLeases(node: string, counted: readonly SettledUsage[]): Promise<number>;
  /** The sum over all nodes, as of their last checkpoints. */
  usedOf(websiteId: number, month: string): Promise<number>;
};

/** Well below the maximum number of parameters in a statement. */
const maxRowsPerStatement = 1_000;
/** What a node gets beyond its needs, so that it rarely has to ask. */
const maxSpareLease = 1_000;

export function createUsage({ db }: Database): Usage {
  return {
    async read(node) {
      // One transaction, because totals and position must come from the same checkpoint.
      return await inTransaction(db, async (trx) => {
        const position = await trx
          .selectFrom('usage_positions')
          .select(['segment', 'position as offset'])
          .where('node', '=', node)
          .executeTakeFirst();
        const rows = await trx
          .selectFrom('usage')
          .select(['website_id', 'month', 'node', 'settled', 'leased'])
          .orderBy('month')
          .orderBy('website_id')
          .orderBy('node')
          .execute();
        const toUsage = (row: (typeof rows)[number]) => ({
          websiteId: row.website_id,
          month: row.month,
          records: row.settled,
        });
        return {
          position: position && { segment: position.segment, offset: position.offset },
          settled: rows.filter((row) => row.node === node).map(toUsage),
          leased: rows
            .filter((row) => row.node === node && row.leased > 0)
            .map((row) => ({ ...toUsage(row), records: row.leased })),
          elsewhere: rows.filter((row) => row.node !== node).map(toUsage),
        };
      });
    },

    async elsewhere(node, month) {
      const rows = await db
        .selectFrom('usage')
        .select(['website_id', (eb) => eb.fn.sum<number>('settled').as('records')])
        .where('month', '=', month)
        .where('node', '!=', node)
        .groupBy('website_id')
        .orderBy('website_id')
        .execute();
      return rows.map(({ website_id, records }) => ({ websiteId: website_id, month, records }));
    },

    async checkpoint({ node, position, settled, tally }) {
      const rows = settled.map(({ websiteId, month, records }) => ({
        website_id: websiteId,
        month,
        node,
        settled: records,
      }));
      await inTransaction(db, async (trx) => {
        for (let start = 0; start < rows.length; start += maxRowsPerStatement) {
          await trx
            .insertInto('usage')
            .values(rows.slice(start, start + maxRowsPerStatement))
            .onConflict((conflict) =>
              conflict
                .columns(['website_id', 'month', 'node'])
                .doUpdateSet((eb) => ({ settled: eb.ref('excluded.settled') })),
            )
            .execute();
        }
        if (tally !== undefined) await writeTally(trx, node, tally);
        const { segment, offset } = position;
        await trx
          .insertInto('usage_positions')
          .values({ node, segment, position: offset })
          .onConflict((conflict) => conflict.column('node').doUpdateSet({ segment, position: offset }))
          .execute();
      });
    },

    async lease({ node, websiteId, month, needed, limit, ...asked }) {
      return await inTransaction(db, async (trx) => {
        const rows = await trx
          .selectFrom('usage')
          .select(['node', 'settled', 'leased'])
          .where('website_id', '=', websiteId)
          .where('month', '=', month)
          .execute();
        const heldBy = (row: (typeof rows)[number]) => Math.max(row.settled, row.leased);
        const others = rows.filter((row) => row.node !== node);
        const elsewhere = others.reduce((sum, row) => sum + heldBy(row), 0);
        const own = rows.find((row) => row.node === node);
        const held = Math.max(asked.held, own?.settled ?? 0);
        const free = Math.max(0, limit - elsewhere - held);
        // Near the limit, nobody gets more than is needed, because others may need the rest.
        const spare = Math.min(maxSpareLease, Math.floor(free / 8));
        const missing = Math.max(0, needed - held);
        const leased = held + Math.min(free, missing === 0 ? 0 : Math.max(missing, spare));
        await trx
          .insertInto('usage')
          .values({ website_id: websiteId, month, node, settled: 0, leased })
          .onConflict((conflict) => conflict.columns(['website_id', 'month', 'node']).doUpdateSet({ leased }))
          .execute();
        return { leased, elsewhere };
      });
    },

    async giveBack(node, leases) {
      await inTransaction(db, async (trx) => {
        for (const { websiteId, month, leased } of leases)
          await trx
            .updateTable('usage')
            .set({ leased })
            .where('website_id', '=', websiteId)
            .where('month', '=', month)
            .where('node', '=', node)
            .execute();
      });
    },

    async unusedLeases(node) {
      return await db
        .selectFrom('usage')
        .select(['website_id as websiteId', 'month'])
        .where('node', '=', node)
        .whereRef('leased', '>', 'settled')
        .execute();
    },

    async endLeases(node, counted) {
      return await inTransaction(db, async (trx) => {
        const rows = await trx
          .selectFrom('usage')
          .select(['website_id', 'month', 'settled', 'leased'])
          .where('node', '=', node)
          .whereRef('leased', '>', 'settled')
          .execute();
        let free = 0;
        for (const { website_id, month, settled, leased } of rows) {
          const found = counted.find((one) => one.websiteId === website_id && one.month === month);
          const used = Math.max(settled, found?.records ?? 0);
          free += Math.max(0, leased - used);
          await trx
            .updateTable('usage')
            .set({ settled: used, leased: used })
            .where('website_id', '=', website_id)
            .where('month', '=', month)
            .where('node', '=', node)
            .execute();
        }
        return free;
      });
    },

    async usedOf(websiteId, month) {
      const row = await db
        .selectFrom('usage')
        .select((eb) => eb.fn.sum<number | null>('settled').as('used'))
        .where('website_id', '=', websiteId)
        .where('month', '=', month)
        .executeTakeFirst();
      return row?.used ?? 0;
    },
  };
}
