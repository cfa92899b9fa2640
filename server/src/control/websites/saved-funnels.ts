import { maxFunnels, maxNameLength } from '@trackside/contract/app/limits.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { parseOneLine } from './parse-one-line.ts';
import { websiteNotFound } from './website-row.ts';

/** The same form as in questions to the statistics. Steps are validated where they come in. */
export type SavedStep = { page: string } | { event: string; parameter?: { name: string; value: string } };

/** A funnel that people look at again and again. */
export type SavedFunnel = {
  id: number;
  name: string;
  steps: readonly SavedStep[];
  /** Null means that all steps are in one visit. */
  withinDays: number | null;
};

/** Nodes keep no funnels in memory, so changes here don't raise control's revision. */
export type SavedFunnels = {
  /** In the order that people gave them. A new one is the last. */
  list(websiteId: number): Promise<SavedFunnel[]>;
  add(websiteId: number, funnel: Omit<SavedFunnel, 'id'>): Promise<SavedFunnel>;
  /** Puts the funnels into another order. `ids` has each funnel of the website once. */
  arrange(websiteId: number, ids: readonly number[]): Promise<SavedFunnel[]>;
  /** Replaces the funnel with its id. Returns undefined if the website has no such funnel. */
  change(websiteId: number, funnel: SavedFunnel): Promise<SavedFunnel | undefined>;
  /** Returns what was removed, or undefined if the website has no such funnel. */
  remove(websiteId: number, id: number): Promise<SavedFunnel | undefined>;
};

const columns = ['id', 'name', 'steps', 'within_days'] as const;

const incomplete = 'IDs: expected each funnel of the website once. Someone may have added or deleted one.';

export const parseFunnelName = (text: string) => parseOneLine('Name', text, maxNameLength);

export function createSavedFunnels(options: { database: Database; clock: Clock }): SavedFunnels {
  const { clock } = options;
  const { db } = options.database;
  return {
    list: (websiteId) => listFunnels(db, websiteId),

    async arrange(websiteId, ids) {
      return await inTransaction(db, async (trx) => {
        const funnels = await trx
          .selectFrom('funnels')
          .select(['id', 'position'])
          .where('website_id', '=', websiteId)
          .orderBy('position')
          .execute();
        const isComplete = funnels.length === ids.length && funnels.every(({ id }) => ids.includes(id));
        if (!isComplete) throw new ControlError('invalid', incomplete, 'ids');
        for (const [index, id] of ids.entries()) {
          const { position } = funnels[index]!;
          await trx.updateTable('funnels').set({ position }).where('id', '=', id).execute();
        }
        return await listFunnels(trx, websiteId);
      });
    },

    async add(websiteId, { steps, withinDays, ...funnel }) {
      const name = parseFunnelName(funnel.name);
      return await inTransaction(db, async (trx) => {
        await checkRoom(trx, websiteId);
        const id = await countFunnel(trx);
        const row = await trx
          .insertInto('funnels')
          .values({
            id,
            // An id is greater than all positions that there are.
            position: id,
            website_id: websiteId,
            name,
            within_days: withinDays,
            steps: JSON.stringify(steps),
            created_at: clock.now(),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        return toFunnel(row);
      });
    },

    async change(websiteId, { id, name, steps, withinDays }) {
      const row = await db
        .updateTable('funnels')
        .set({ name: parseFunnelName(name), within_days: withinDays, steps: JSON.stringify(steps) })
        .where('website_id', '=', websiteId)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toFunnel(row);
    },

    async remove(websiteId, id) {
      const row = await db
        .deleteFrom('funnels')
        .where('website_id', '=', websiteId)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toFunnel(row);
    },
  };
}

async function listFunnels(db: Kysely<Tables>, websiteId: number): Promise<SavedFunnel[]> {
  const rows = await db
    .selectFrom('funnels')
    .select(columns)
    .where('website_id', '=', websiteId)
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(toFunnel);
}

async function checkRoom(trx: Kysely<Tables>, websiteId: number): Promise<void> {
  const row = await trx
    .selectFrom('websites')
    .select((eb) =>
      eb
        .selectFrom('funnels')
        .select(({ fn }) => fn.countAll<number>().as('funnels'))
        .whereRef('funnels.website_id', '=', 'websites.id')
        .as('funnels'),
    )
    .where('id', '=', websiteId)
    .executeTakeFirst();
  if (row === undefined) throw websiteNotFound(websiteId);
  if (Number(row.funnels) < maxFunnels) return;
  const message = `A website can have at most ${maxFunnels} funnels. Remove one that you no longer need.`;
  throw new ControlError('invalid', message, 'name');
}

async function countFunnel(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_funnel_id: eb('last_funnel_id', '+', 1) }))
    .returning('last_funnel_id')
    .executeTakeFirstOrThrow();
  return row.last_funnel_id;
}

function toFunnel(row: Pick<Tables['funnels'], (typeof columns)[number]>): SavedFunnel {
  const { id, name, steps, within_days } = row;
  return { id, name, steps: JSON.parse(steps), withinDays: within_days };
}
