import { maxGoals, maxNameLength } from '@trackside/contract/app/limits.ts';
import type { Goal } from '@trackside/contract/stats/questions.ts';
import type { Kysely } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { ControlError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import type { Tables } from '../database/tables.ts';
import { parseOneLine } from './parse-one-line.ts';
import { websiteNotFound } from './website-row.ts';

/** A page or an event that a website counts as a goal. It is validated where it comes in. */
export type SavedGoal = {
  id: number;
  /** Null means that it is called by its page or event. */
  name: string | null;
  goal: Goal;
};

/** Nodes keep no goals in memory, so changes here don't raise control's revision. */
export type Goals = {
  /** In the order in which they were added. */
  list(websiteId: number): Promise<SavedGoal[]>;
  add(websiteId: number, goal: Omit<SavedGoal, 'id'>): Promise<SavedGoal>;
  /** Returns what was removed, or undefined if the website has no such goal. */
  remove(websiteId: number, id: number): Promise<SavedGoal | undefined>;
};

const columns = ['id', 'name', 'kind', 'target'] as const;

/** Parses the name of a goal, which may be empty. */
export const parseGoalName = (text: string) =>
  text.trim() === '' ? '' : parseOneLine('Name', text, maxNameLength);

export function createGoals(options: { database: Database; clock: Clock }): Goals {
  const { clock } = options;
  const { db } = options.database;
  return {
    async list(websiteId) {
      const rows = await db
        .selectFrom('goals')
        .select(columns)
        .where('website_id', '=', websiteId)
        .orderBy('id')
        .execute();
      return rows.map(toGoal);
    },

    async add(websiteId, { name, goal }) {
      const [kind, target] =
        'page' in goal ? (['page', goal.page] as const) : (['event', goal.event] as const);
      return await inTransaction(db, async (trx) => {
        await checkRoom(trx, websiteId, kind, target);
        const row = await trx
          .insertInto('goals')
          .values({
            id: await countGoal(trx),
            website_id: websiteId,
            name: parseGoalName(name ?? '') || null,
            kind,
            target,
            created_at: clock.now(),
          })
          .returning(columns)
          .executeTakeFirstOrThrow();
        return toGoal(row);
      });
    },

    async remove(websiteId, id) {
      const row = await db
        .deleteFrom('goals')
        .where('website_id', '=', websiteId)
        .where('id', '=', id)
        .returning(columns)
        .executeTakeFirst();
      return row && toGoal(row);
    },
  };
}

async function checkRoom(
  trx: Kysely<Tables>,
  websiteId: number,
  kind: 'page' | 'event',
  target: string,
): Promise<void> {
  const website = await trx
    .selectFrom('websites')
    .select('id')
    .where('id', '=', websiteId)
    .executeTakeFirst();
  if (website === undefined) throw websiteNotFound(websiteId);
  const goals = await trx
    .selectFrom('goals')
    .select(['kind', 'target'])
    .where('website_id', '=', websiteId)
    .execute();
  if (goals.some((goal) => goal.kind === kind && goal.target === target))
    throw new ControlError('already-exists', `The ${kind} ${target} is already a goal.`, 'goal');
  if (goals.length < maxGoals) return;
  const message = `A website can have at most ${maxGoals} goals. Remove one that you no longer need.`;
  throw new ControlError('invalid', message, 'goal');
}

async function countGoal(trx: Kysely<Tables>): Promise<number> {
  const row = await trx
    .updateTable('control_state')
    .set((eb) => ({ last_goal_id: eb('last_goal_id', '+', 1) }))
    .returning('last_goal_id')
    .executeTakeFirstOrThrow();
  return row.last_goal_id;
}

function toGoal({ id, name, kind, target }: Pick<Tables['goals'], (typeof columns)[number]>): SavedGoal {
  return { id, name, goal: kind === 'page' ? { page: target } : { event: target } };
}
