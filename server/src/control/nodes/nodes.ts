import { type Kysely, type RawBuilder, sql } from 'kysely';
import { OperatorError } from '../../operator-error.ts';
import type { Database } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';

/** What a node says about itself, about once a second. */
export type NodeReport = {
  /** The name that its batches carry. */
  name: string;
  /** Where other nodes reach it. Null if they can't. */
  address: string | null;
  /** Whether its records are in the store that other nodes use too. */
  sharesStore: boolean;
  /** Everything that it acknowledged by this time is in the store. */
  loadedTo: number;
  /** No row that is unwanted by this revision of control is on its way into the store. */
  knownRevision: number;
  /** The time of the oldest records that its journal holds. */
  holdsFrom: number;
};

export type SeenNode = NodeReport & {
  /** When it last said something, by the database's clock. */
  seenAt: number;
  /** How long ago that was. */
  silentMs: number;
  /** It was stopped with all of its records in the store, or was retired. Nobody waits for it. */
  hasLeft: boolean;
  /** Its journal is gone for good, so it can't bring back what was erased. */
  isDestroyed: boolean;
};

/** The journal of this node was declared destroyed. */
export class NodeDestroyed extends OperatorError {
  override name = 'NodeDestroyed';

  constructor(node: string) {
    super(
      `The data folder of node ${node} was declared destroyed with \`trackside node retire --forget\`. Its ` +
        'journal may hold records that were erased since, so it cannot be used again. Start the server with an ' +
        'empty data folder.',
    );
  }
}

/** The nodes that use this database. One on SQLite is alone, and isn't in here. */
export type Nodes = {
  /**
   * Adds a node, or continues with one that was known. It may acknowledge records whose time is later than
   * what is returned: answers count everything up to then already. If `check` throws about it, nothing has
   * changed. One that was declared destroyed is refused with `NodeDestroyed`.
   */
  register(report: NodeReport, check?: (completeTo: number) => void): Promise<{ completeTo: number }>;
  /** False if nobody waits for the node, because it was retired. It has to register again. */
  heartbeat(report: NodeReport): Promise<boolean>;
  list(): Promise<SeenNode[]>;
  /** Everything that any node acknowledged by this time is in the store they share. It never goes back. */
  completeTo(): Promise<number>;
  /** Notes that a node ends with all of its records in the store. */
  leave(name: string): Promise<void>;
  /** Stops waiting for a node that has been silent for this long. */
  retire(name: string, silentMs: number): Promise<'retired' | 'alive' | 'unknown'>;
  /** Notes that the journal of a retired node is gone. It can never register again. */
  noteDestroyed(name: string): Promise<void>;
};

/**
 * What `loaded_to` and `known_revision` say of a node that nobody waits for, and `holds_from` of one whose journal
 * is gone.
 */
export const left = Number.MAX_SAFE_INTEGER;

export function createNodes(database: Database): Nodes {
  const { db } = database;
  const now = databaseNow(database);

  return {
    async register(report, check = () => {}) {
      return await inTransaction(db, async (trx) => {
        check(await readCompleteTo(trx));
        const before = await noteCompleteTo(trx);
        if (await isDestroyed(trx, report.name)) throw new NodeDestroyed(report.name);
        const values = { ...toRow(report), seen_at: now, loaded_to: capped(report.loadedTo, now) };
        await trx
          .insertInto('nodes')
          .values({ name: report.name, ...values })
          .onConflict((conflict) =>
            conflict
              .column('name')
              .doUpdateSet({ ...values, loaded_to: raised(capped(report.loadedTo, now)) }),
          )
          .execute();
        const { loaded_to } = await trx
          .selectFrom('nodes')
          .select('loaded_to')
          .where('name', '=', report.name)
          .executeTakeFirstOrThrow();
        return { completeTo: Math.max(before, loaded_to) };
      });
    },

    async heartbeat(report) {
      const { numUpdatedRows } = await db
        .updateTable('nodes')
        .set({ ...toRow(report), seen_at: now, loaded_to: raised(capped(report.loadedTo, now)) })
        .where('name', '=', report.name)
        .where('loaded_to', '<', left)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async list() {
      const rows = await db
        .selectFrom('nodes')
        .selectAll()
        .select(sql<number>`${now} - seen_at`.as('silent_ms'))
        .orderBy('name')
        .execute();
      return rows.map((row) => ({
        name: row.name,
        address: row.address,
        sharesStore: row.shares_store === 1,
        loadedTo: row.loaded_to,
        knownRevision: row.known_revision,
        holdsFrom: row.holds_from,
        seenAt: row.seen_at,
        silentMs: Math.max(0, row.silent_ms),
        hasLeft: row.loaded_to === left,
        isDestroyed: row.holds_from === left,
      }));
    },

    completeTo: () => readCompleteTo(db),

    async leave(name) {
      await inTransaction(db, (trx) => markLeft(trx, name));
    },

    async retire(name, silentMs) {
      return await inTransaction(db, async (trx) => {
        const row = await trx
          .selectFrom('nodes')
          .select(sql<number>`${now} - seen_at`.as('silent_ms'))
          .where('name', '=', name)
          .executeTakeFirst();
        if (row === undefined) return 'unknown';
        if (row.silent_ms < silentMs) return 'alive';
        await markLeft(trx, name);
        return 'retired';
      });
    },

    async noteDestroyed(name) {
      await db
        .updateTable('nodes')
        .set({ holds_from: left })
        .where('name', '=', name)
        .where('loaded_to', '=', left)
        .execute();
    },
  };
}

async function isDestroyed(trx: Kysely<Tables>, name: string): Promise<boolean> {
  const row = await trx
    .selectFrom('nodes')
    .select('name')
    .where('name', '=', name)
    .where('holds_from', '=', left)
    .executeTakeFirst();
  return row !== undefined;
}

/** Its row stays, because its journal may still hold records that were erased. */
async function markLeft(trx: Kysely<Tables>, name: string): Promise<void> {
  await noteCompleteTo(trx);
  await trx
    .updateTable('nodes')
    .set({ loaded_to: left, known_revision: left })
    .where('name', '=', name)
    .execute();
}

/** Notes up to when answers may have said to be complete, before another set of nodes counts. */
async function noteCompleteTo(trx: Kysely<Tables>): Promise<number> {
  // Locks the rows, so that no node raises its number in the meantime.
  await trx
    .updateTable('nodes')
    .set((eb) => ({ loaded_to: eb.ref('loaded_to') }))
    .execute();
  const before = await readCompleteTo(trx);
  await trx.updateTable('control_state').set({ complete_to: before }).execute();
  return before;
}

/** A clock that is ahead must not make others wait until theirs have passed its time. */
const capped = (loadedTo: number, now: RawBuilder<number>) =>
  sql<number>`case when ${loadedTo} > ${now} then ${now} else ${loadedTo} end`;

/** What a node once said of its records stays true, even if it can't tell right after a start. */
const raised = (value: RawBuilder<number>) =>
  sql<number>`
    case when nodes.loaded_to > ${value} and nodes.loaded_to < ${left} then nodes.loaded_to else ${value} end`;

/** A node that comes later with older records doesn't take back what was said before. */
async function readCompleteTo(db: Kysely<Tables>): Promise<number> {
  const { complete_to, least } = await db
    .selectFrom('control_state')
    .select([
      'complete_to',
      (eb) =>
        eb
          .selectFrom('nodes')
          .select((nodes) => nodes.fn.min('loaded_to').as('least'))
          .where('shares_store', '=', 1)
          .where('loaded_to', '<', left)
          .as('least'),
    ])
    .executeTakeFirstOrThrow();
  return Math.max(complete_to, least ?? 0);
}

const toRow = ({ address, sharesStore, loadedTo, knownRevision, holdsFrom }: NodeReport) => ({
  address,
  shares_store: sharesStore ? 1 : 0,
  loaded_to: loadedTo,
  known_revision: knownRevision,
  holds_from: holdsFrom,
});
