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

export type GoalChanges = Partial<Omit<SavedGoal, 'id'>>;

/** Nodes keep no goals in memory, so changes here don't raise control's revision. */
export type Goals = {
  /** In the order in which they were added. */
  list(websiteId: number): Promise<SavedGoal[]>;
  add(websiteId: number, goal: Omit<SavedGoal, 'id'>): Promise<SavedGoal>;
  /** Changes what is given. Returns undefined if the website has no such goal. */
  change(websiteId: number, id: number, changes: GoalChanges): Promise<SavedGoal | undefined>;
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
      return await inTransaction(db, async (trx) => {
        const { kind, target } = toColumns(goal);
        const others = await readGoals(trx, websiteId);
        checkIsNew(others, goal);
        checkRoom(others);
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

    async change(websiteId, id, { name, goal }) {
      return await inTransaction(db, async (trx) => {
        const goals = await readGoals(trx, websiteId);
        const last = goals.find((one) => one.id === id);
        if (last === undefined) return undefined;
        if (goal !== undefined)
          checkIsNew(
            goals.filter((one) => one !== last),
            goal,
          );
        const row = await trx
          .updateTable('goals')
          .set({
            name: name === undefined ? last.name : parseGoalName(name ?? '') || null,
            ...toColumns(goal ?? last.goal),
          })
          .where('website_id', '=', websiteId)
          .where('id', '=', id)
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

async function readGoals(trx: Kysely<Tables>, websiteId: number): Promise<SavedGoal[]> {
  const website = await trx
    .selectFrom('websites')
    .select('id')
    .where('id', '=', websiteId)
    .executeTakeFirst();
  if (website === undefined) throw websiteNotFound(websiteId);
  const rows = await trx.selectFrom('goals').select(columns).where('website_id', '=', websiteId).execute();
  return rows.map(toGoal);
}

function checkIsNew(goals: readonly SavedGoal[], goal: Goal): void {
  const { kind, target } = toColumns(goal);
  const isSame = (other: ReturnType<typeof toColumns>) => other.kind === kind && other.target === target;
  if (goals.some((one) => isSame(toColumns(one.goal))))
    throw new ControlError('already-exists', `The ${kind} ${target} is already a goal.`, 'goal');
}

function checkRoom(goals: readonly SavedGoal[]): void {
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

const toColumns = (goal: Goal) =>
  'page' in goal
    ? ({ kind: 'page', target: goal.page } as const)
    : ({ kind: 'event', target: goal.event } as const);

function toGoal({ id, name, kind, target }: Pick<Tables['goals'], (typeof columns)[number]>): SavedGoal {
  return { id, name, goal: kind === 'page' ? { page: target } : { event: target } };
}
