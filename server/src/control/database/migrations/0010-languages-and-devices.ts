import type { Migration } from '../migrate.ts';

/**
 * The language that a user has chosen, or null for that of the browser; and on what a session was started, or
 * null for sessions that are there.
 */
export const languagesAndDevices: Migration = {
  number: 10,
  name: 'languages-and-devices',
  async up(db) {
    await db.schema.alterTable('users').addColumn('language', 'text').execute();
    await db.schema.alterTable('sessions').addColumn('device', 'text').execute();
  },
};
