import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { inTransaction } from '../database/in-transaction.ts';

/** A node that may have taken a record whose key another node is asked about. */
export type KeyHolder = { name: string; address: string };

export type SeenHolder = KeyHolder & {
  /** When it last said something, by the database's clock. */
  seenAt: number;
  /** When it was stopped and left its keys here. Null if it has to be asked. */
  leftAt: number | null;
};

/** The nodes that may know a key. One that was silent for longer than an hour no longer matters. */
export type KeyHolders = {
  /** Adds a node. Returns whether others ask it already, because it was there within the hour. */
  register(holder: KeyHolder): Promise<{ wasKnown: boolean }>;
  /** Notes that all others ask the node, so that it is known if it is killed and started again. */
  noteKnown(name: string): Promise<void>;
  /** Says that a node is there. False if it isn't in the list, because it was retired. */
  beat(holder: KeyHolder): Promise<boolean>;
  list(): Promise<SeenHolder[]>;
  /** Leaves the hashes of all keys of a node that takes no more records. All of them or none are written. */
  leave(name: string, hashes: Buffer): Promise<void>;
  /**
   * A part of the hashes that a node left at that time, from part 0 on. Empty after the last one, undefined if
   * the node is back or was retired.
   */
  leftKeys(name: string, leftAt: number, part: number): Promise<Uint8Array | undefined>;
  /** Deletes what nobody reads anymore. */
  forgetOld(): Promise<void>;
  /** Nobody asks this node anymore. */
  remove(name: string): Promise<void>;
};

/** As long as keys are remembered. */
const askedForMs = 60 * 60 * 1000;
/** A node that comes back just before the hour is over may be gone from the lists that others hold. */
const marginMs = 60 * 1000;
/** A multiple of a hash, and small enough to be read without keeping others waiting. */
const partBytes = 512 * 1024;

export function createKeyHolders(database: Database): KeyHolders {
  const { db } = database;
  const now = databaseNow(database);
  const isSeenWithin = (ms: number) => sql<boolean>`seen_at > ${now} - ${sql.lit(ms)}`;

  return {
    async register({ name, address }) {
      return await inTransaction(db, async (trx) => {
        const known = await trx
          .selectFrom('key_holders')
          .select('name')
          .where('name', '=', name)
          .where('left_at', 'is', null)
          .where('known_at', 'is not', null)
          .where(isSeenWithin(askedForMs - marginMs))
          .executeTakeFirst();
        const row = { address, seen_at: now, left_at: null, ...(known === undefined && { known_at: null }) };
        await trx
          .insertInto('key_holders')
          .values({ name, ...row })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
          .execute();
        await trx.deleteFrom('left_keys').where('name', '=', name).execute();
        return { wasKnown: known !== undefined };
      });
    },
    async noteKnown(name) {
      await db.updateTable('key_holders').set({ known_at: now }).where('name', '=', name).execute();
    },
    async beat({ name, address }) {
      const { numUpdatedRows } = await db
        .updateTable('key_holders')
        .set({ address, seen_at: now })
        .where('name', '=', name)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },
    async list() {
      return await db
        .selectFrom('key_holders')
        .select(['name', 'address', 'seen_at as seenAt', 'left_at as leftAt'])
        .where(isSeenWithin(askedForMs))
        .orderBy('name')
        .execute();
    },
    async leave(name, hashes) {
      await inTransaction(db, async (trx) => {
        await trx.deleteFrom('left_keys').where('name', '=', name).execute();
        // One part at a time, so that none of them makes the database wait for long.
        for (let from = 0, part = 0; from < hashes.length; from += partBytes, part += 1)
          await trx
            .insertInto('left_keys')
            .values({ name, part, hashes: hashes.subarray(from, from + partBytes) })
            .execute();
        await trx
          .updateTable('key_holders')
          .set({ seen_at: now, left_at: now })
          .where('name', '=', name)
          .execute();
      });
    },
    async leftKeys(name, leftAt, part) {
      // In one statement, because a node that comes back deletes its keys.
      const found = await db
        .selectFrom('key_holders')
        .leftJoin('left_keys', (join) =>
          join.onRef('left_keys.name', '=', 'key_holders.name').on('part', '=', part),
        )
        .select('hashes')
        .where('key_holders.name', '=', name)
        .where('left_at', '=', leftAt)
        .executeTakeFirst();
      return found && (found.hashes ?? new Uint8Array());
    },
    async forgetOld() {
      const current = db.selectFrom('key_holders').select('name').where(isSeenWithin(askedForMs));
      await db.deleteFrom('left_keys').where('name', 'not in', current).execute();
    },
    async remove(name) {
      await inTransaction(db, async (trx) => {
        await trx.deleteFrom('key_holders').where('name', '=', name).execute();
        await trx.deleteFrom('left_keys').where('name', '=', name).execute();
      });
    },
  };
}
