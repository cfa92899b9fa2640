import type { ErasedVisit } from '../../records/erased-visit.ts';
import type { Clock } from '../../time/clock.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { raiseRevision } from '../database/raise-revision.ts';

/** Records of this visitor that were received before this moment must be gone, and must not come back. */
export type Erasure = { websiteId: number; visitorId: string; receivedBefore: number };

/** An erasure as it is written down. */
export type WrittenErasure = Erasure & {
  /**
   * The moment up to which the erasure is known to the loader. Until the visits of the person are found, all
   * records are loaded: only those with the ClientId tell which visits are theirs.
   */
  appliedBefore: number | null;
  visits: readonly ErasedVisit[];
};

/**
 * Whose records were erased. Each erasure is written down before anything is removed, and is kept for as long
 * as the journal may hold such records, so that the loader leaves them out.
 */
export type Erasures = {
  /**
   * Erases everything that was received up to now. Repeating it for the same visitor moves the moment
   * forward.
   */
  add(websiteId: number, visitorId: string): Promise<Erasure>;
  list(): Promise<WrittenErasure[]>;
  /** Writes down the visits of the person. From now on, none of these records is loaded. */
  apply(erasure: Erasure, visits: readonly ErasedVisit[]): Promise<void>;
  /** The result, or undefined until the records are gone. */
  result(erasure: Erasure): Promise<{ records: number } | undefined>;
  /**
   * Writes down that the records are gone. Returns false, and writes nothing, if the erasure was finished
   * before or was requested again in the meantime.
   */
  finish(erasure: Erasure, result: { records: number }): Promise<boolean>;
  /** Forgets erasures whose records can no longer be in the journal, and returns how many there were. */
  clearBefore(ms: number): Promise<number>;
};

const columns = ['website_id', 'visitor_id', 'received_before', 'applied_before'] as const;

export function createErasures(options: { database: Database; clock: Clock }): Erasures {
  const { clock } = options;
  const { db } = options.database;
  return {
    async add(websiteId, visitorId) {
      if (!/^\d{1,20}$/.test(visitorId))
        throw new Error(`expected a visitor's 64 bits in decimal, got ${visitorId.length} characters`);
      return await inTransaction(db, async (trx) => {
        const row = {
          website_id: websiteId,
          visitor_id: visitorId,
          received_before: clock.now(),
          applied_before: null,
          finished_at: null,
          records: null,
        };
        const known = await trx
          .selectFrom('erasures')
          .select('received_before')
          .where('website_id', '=', websiteId)
          .where('visitor_id', '=', visitorId)
          .executeTakeFirst();
        // A clock that was set back must not bring back what was erased.
        row.received_before = Math.max(row.received_before, known?.received_before ?? 0);
        await trx
          .insertInto('erasures')
          .values(row)
          .onConflict((conflict) =>
            conflict
              .columns(['website_id', 'visitor_id'])
              .doUpdateSet({ received_before: row.received_before, finished_at: null, records: null }),
          )
          .execute();
        await raiseRevision(trx);
        return { websiteId, visitorId, receivedBefore: row.received_before };
      });
    },

    async list() {
      const rows = await db
        .selectFrom('erasures')
        .select(columns)
        .orderBy('website_id')
        .orderBy('visitor_id')
        .execute();
      const visits = Map.groupBy(
        await db.selectFrom('erased_visits').selectAll().orderBy('received_from').execute(),
        keyOf,
      );
      return rows.map((row) => ({
        websiteId: row.website_id,
        visitorId: row.visitor_id,
        receivedBefore: row.received_before,
        appliedBefore: row.applied_before,
        visits: (visits.get(keyOf(row)) ?? []).map((visit) => ({
          deviceId: visit.device_id,
          receivedFrom: visit.received_from,
          receivedUntil: visit.received_until,
        })),
      }));
    },

    async apply({ websiteId, visitorId, receivedBefore }, visits) {
      await inTransaction(db, async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('erasures')
          .set({ applied_before: receivedBefore })
          .where('website_id', '=', websiteId)
          .where('visitor_id', '=', visitorId)
          .executeTakeFirstOrThrow();
        // Its website is gone, and so are all records.
        if (numUpdatedRows === 0n) return;
        for (const { deviceId, receivedFrom, receivedUntil } of visits) {
          await trx
            .insertInto('erased_visits')
            .values({
              website_id: websiteId,
              visitor_id: visitorId,
              device_id: deviceId,
              received_from: receivedFrom,
              received_until: receivedUntil,
            })
            .onConflict((conflict) =>
              conflict
                .columns(['website_id', 'visitor_id', 'device_id', 'received_from'])
                .doUpdateSet({ received_until: receivedUntil }),
            )
            .execute();
        }
        await raiseRevision(trx);
      });
    },

    async result({ websiteId, visitorId, receivedBefore }) {
      const row = await db
        .selectFrom('erasures')
        .select(['finished_at', 'records'])
        .where('website_id', '=', websiteId)
        .where('visitor_id', '=', visitorId)
        .where('received_before', '>=', receivedBefore)
        .executeTakeFirst();
      // If it is no longer there, it was finished long ago, or its website is gone.
      if (row === undefined) return { records: 0 };
      return row.finished_at === null ? undefined : { records: row.records ?? 0 };
    },

    async finish({ websiteId, visitorId, receivedBefore }, { records }) {
      const { numUpdatedRows } = await db
        .updateTable('erasures')
        .set({ finished_at: clock.now(), records })
        .where('website_id', '=', websiteId)
        .where('visitor_id', '=', visitorId)
        .where('received_before', '=', receivedBefore)
        // After a start, erasures are checked again and find nothing. That must not overwrite the result.
        .where('finished_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async clearBefore(ms) {
      return await inTransaction(db, async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('erasures')
          .where('received_before', '<', ms)
          .executeTakeFirstOrThrow();
        await trx
          .deleteFrom('erased_visits')
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('erasures')
                  .select('erasures.visitor_id')
                  .whereRef('erasures.website_id', '=', 'erased_visits.website_id')
                  .whereRef('erasures.visitor_id', '=', 'erased_visits.visitor_id'),
              ),
            ),
          )
          .execute();
        if (numDeletedRows > 0n) await raiseRevision(trx);
        return Number(numDeletedRows);
      });
    },
  };
}

const keyOf = (row: { website_id: number; visitor_id: string }) => `${row.website_id} ${row.visitor_id}`;
