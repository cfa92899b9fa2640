import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { databaseNow } from '../database/database-now.ts';

/**
 * Which days are wanted: those that have changed, the same unless the website was built a moment ago, all of
 * them, or all after everything that was built before is removed.
 */
export type WantedKind = 'changed' | 'refresh' | 'all' | 'afresh';

export type WantedBuild = { id: string; websiteId: number; from: string; to: string; kind: WantedKind };

/** Days that nodes need, and that the owner is to build. */
export type WantedBuilds = {
  /** Asks for days of a website. Returns the id of the request. */
  add(wanted: Omit<WantedBuild, 'id'>): Promise<string>;
  list(): Promise<WantedBuild[]>;
  /** The owner has done what it could, or nobody waits anymore. */
  remove(id: string): Promise<void>;
  isDone(id: string): Promise<boolean>;
  /** Says that someone still waits. */
  renew(id: string): Promise<void>;
  /** Forgets requests that are older than anyone waits. */
  clearOlderThan(ms: number): Promise<void>;
};

export function createWantedBuilds(database: Database): WantedBuilds {
  const { db } = database;
  const now = databaseNow(database);
  return {
    async add({ websiteId, from, to, kind }) {
      const id = randomUUID();
      const row = { id, website_id: websiteId, first_day: from, last_day: to, asked_at: now, kind };
      await db.insertInto('wanted_builds').values(row).execute();
      return id;
    },
    async list() {
      const rows = await db.selectFrom('wanted_builds').selectAll().orderBy('asked_at').execute();
      return rows.map((row) => ({
        id: row.id,
        websiteId: row.website_id,
        from: row.first_day,
        to: row.last_day,
        kind: row.kind,
      }));
    },
    async remove(id) {
      await db.deleteFrom('wanted_builds').where('id', '=', id).execute();
    },
    async isDone(id) {
      const row = await db.selectFrom('wanted_builds').select('id').where('id', '=', id).executeTakeFirst();
      return row === undefined;
    },
    async renew(id) {
      await db.updateTable('wanted_builds').set({ asked_at: now }).where('id', '=', id).execute();
    },
    async clearOlderThan(ms) {
      await db.deleteFrom('wanted_builds').where(sql<boolean>`${now} - asked_at > ${ms}`).execute();
    },
  };
}
