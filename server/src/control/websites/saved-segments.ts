import { maxNameLength, maxSegments } from '@trackside/contract/app/limits.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { parseOneLine } from './parse-one-line.ts';
import { websiteNotFound } from './website-row.ts';

/** A set of filters with a name. Filters are validated where they come in. */
export type SavedSegment = {
  id: number;
  name: string;
  filters: readonly Filter[];
  /** The only user who sees it. Null if everybody at the website does. */
  userId: number | null;
};

export type SegmentChanges = Partial<Pick<SavedSegment, 'name' | 'filters'>>;

/** Nodes keep no segments in memory, so changes here don't raise control's revision. */
export type SavedSegments = {
  /** Those of the website, and those of the user if one is given. By their names. */
  list(websiteId: number, userId?: number): Promise<SavedSegment[]>;
  /** Returns a segment that `list` has. */
  find(websiteId: number, id: number, userId?: number): Promise<SavedSegment | undefined>;
  add(websiteId: number, segment: Omit<SavedSegment, 'id'>): Promise<SavedSegment>;
  /** Returns the segment as it is now, or undefined if the website has no such segment. */
  change(websiteId: number, id: number, changes: SegmentChanges): Promise<SavedSegment | undefined>;
  /** Returns what was removed, or undefined if the website has no such segment. */
  remove(websiteId: number, id: number): Promise<SavedSegment | undefined>;
};

const columns = ['id', 'name', 'filters', 'user_id'] as const;

export const parseSegmentName = (text: string) => parseOneLine('Name', text, maxNameLength);

export function createSavedSegments(options: { database: Database; clock: Clock }): SavedSegments {
  const { clock } = options;
  const { db } = options.database;
  const visible = (websiteId: number, userId: number | undefined) =>
    db
      .selectFrom('segments')
      .select(columns)
      .where('website_id', '=', websiteId)
      .where((eb) =>
        userId === undefined
          ? eb('user_id', 'is', null)
          : eb.or([eb('user_id', 'is', null), eb('user_id', '=', userId)]),
      );
  return {
    async list(websiteId, userId) {
      const rows = await visible(websiteId, userId).execute();
      return rows.map(toSegment).toSorted((a, b) => a.name.localeCompare(b.name, 'en') || a.id - b.id);
    },

    async find(websiteId, id, userId) {
      const row = await visible(websiteId, userId).where('id', '=', id).executeTakeFirst();
      return row && toSegment(row);
    },

    async add(websiteId, { filters, userId, ...segment }) {
      const name = parseSegmentName(segment.name);
      return await inTransaction(db, async (trx) => {
        await checkWebsite(trx, websiteId);
        const beside = await namesBeside(trx, websiteId, userId);
        checkName(name, beside);
        if (beside.length >= maxSegments) {
          const whose = userId === null ? 'A website can have' : 'You can have';
          const message = `${whose} at most ${maxSegments} segments. Delete one that you no longer need.`;
          throw new ControlError('invalid', message, 'name');
        }
        const row = await trx
          .insertInto('segments')
          .values({
            id: await countSegment(trx),
            website_id: websiteId,
            user_id: userId,
            name,
            filters: JSON.stringify(filters),
            created_at: clock.now(),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        return toSegment(row);
      });
    },

    async change(websiteId, id, changes) {
      const name = changes.name === undefined ? undefined : parseSegmentName(changes.name);
      return await inTransaction(db, async (trx) => {
        const of = trx.selectFrom('segments').select(columns).where('website_id', '=', websiteId);
        const before = await of.where('id', '=', id).executeTakeFirst();
        if (before === undefined) return undefined;
        if (name !== undefined && name !== before.name)
          checkName(name, await namesBeside(trx, websiteId, before.user_id));
        const row = await trx
          .updateTable('segments')
          .set({
            name: name ?? before.name,
            filters: changes.filters === undefined ? before.filters : JSON.stringify(changes.filters),
          })
          .where('id', '=', id)
          .returning(columns)
          .executeTakeFirstOrThrow();
        return toSegment(row);
      });
    },

    async remove(websiteId, id) {
      const row = await db
        .deleteFrom('segments')
        .where('website_id', '=', websiteId)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toSegment(row);
    },
  };
}

async function checkWebsite(trx: Kysely<Tables>, websiteId: number): Promise<void> {
  const row = await trx.selectFrom('websites').select('id').where('id', '=', websiteId).executeTakeFirst();
  if (row === undefined) throw websiteNotFound(websiteId);
}

/** The names of the segments in the same list: those of the website, or those of the user there. */
async function namesBeside(
  trx: Kysely<Tables>,
  websiteId: number,
  userId: number | null,
): Promise<readonly string[]> {
  const rows = await trx
    .selectFrom('segments')
    .select('name')
    .where('website_id', '=', websiteId)
    .where('user_id', 'is not distinct from', userId)
    .execute();
  return rows.map(({ name }) => name);
}

function checkName(name: string, beside: readonly string[]): void {
  if (!beside.includes(name)) return;
  throw new ControlError('already-exists', `There is already a segment named ${name}.`, 'name');
}

async function countSegment(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_segment_id: eb('last_segment_id', '+', 1) }))
    .returning('last_segment_id')
    .executeTakeFirstOrThrow();
  return row.last_segment_id;
}

function toSegment(row: Pick<Tables['segments'], (typeof columns)[number]>): SavedSegment {
  const { id, name, filters, user_id } = row;
  return { id, name, filters: JSON.parse(filters), userId: user_id };
}
