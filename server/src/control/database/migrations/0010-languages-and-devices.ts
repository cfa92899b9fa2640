import type { Migration } from '../migrate.ts';

/**
 * The language that a user has chosen, or null for that of the browser; and what a session was started on, or
 * null for existing sessions.
 */
export const languagesAndDevices: Migration = {
  number: 10,
  name: 'languages-and-devices',
  async up(db) {
    await db.schema.alterTable('users').addColumn('language', 'text').execute();
    await db.schema.alterTable('sessions').addColumn('device', 'text').execute();
  },
};
