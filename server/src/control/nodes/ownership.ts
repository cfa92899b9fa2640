import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';

/** Who owns the jobs that only one of the nodes on a store may do: building days, and removing records. */
export type Owner = { node: string; fence: number; silentMs: number };

export type Ownership = {
  /**
   * Renews the ownership that has this fence, or takes it if its owner has been silent for `leaseMs` by the
   * database's clock, was an earlier process of this node, or has given it up. A new owner gets a new fence,
   * higher than all before and than `above`. Returns undefined if another node is the owner.
   */
  take(options: {
    node: string;
    fence: number | undefined;
    leaseMs: number;
    above?: number;
    /** Takes it from an owner that is alive, for a command. */
    isForced?: boolean;
  }): Promise<number | undefined>;
  /** Returns false if another node has taken it over. */
  renew(held: { node: string; fence: number }): Promise<boolean>;
  /** Lets another node take over at once. */
  release(fence: number): Promise<void>;
  /** Undefined if there is none, or if it has been silent for `leaseMs`. */
  owner(leaseMs: number): Promise<Owner | undefined>;
};

export function createOwnership(database: Database): Ownership {
  const { db } = database;
  const now = databaseNow(database);

  async function renew({ node, fence }: { node: string; fence: number }): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('control_state')
      .set({ owner_renewed_at: now })
      .where('owner_fence', '=', fence)
      .where('owner_node', '=', node)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  return {
    renew,
    async take({ node, fence, leaseMs, above = 0, isForced = false }) {
      if (fence !== undefined && fence > above && (await renew({ node, fence }))) return fence;
      const row = await db
        .updateTable('control_state')
        .set({
          owner_node: node,
          owner_renewed_at: now,
          owner_fence: sql<number>`case when owner_fence > ${above} then owner_fence else ${above} end + 1`,
        })
        .where((eb) =>
          eb.or([
            eb('owner_node', 'is', null),
            eb('owner_node', '=', node),
            sql<boolean>`${now} - owner_renewed_at > ${isForced ? -1 : leaseMs}`,
          ]),
        )
        .returning('owner_fence')
        .executeTakeFirst();
      return row?.owner_fence;
    },

    async release(fence) {
      await db
        .updateTable('control_state')
        .set({ owner_node: null })
        .where('owner_fence', '=', fence)
        .execute();
    },

    async owner(leaseMs) {
      const row = await db
        .selectFrom('control_state')
        .select(['owner_node', 'owner_fence', sql<number>`${now} - owner_renewed_at`.as('silent_ms')])
        .executeTakeFirstOrThrow();
      if (row.owner_node === null || row.silent_ms > leaseMs) return undefined;
      return { node: row.owner_node, fence: row.owner_fence, silentMs: Math.max(0, row.silent_ms) };
    },
  };
}
