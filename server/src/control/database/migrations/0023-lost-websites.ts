import type { Migration } from '../migrate.ts';

/** Which websites had records before an older copy of the database took its place. */
export const lostWebsites: Migration = {
  number: 23,
  name: 'lost-websites',
  async up(db) {
    await db.schema
      .alterTable('control_state')
      .addColumn('lost_websites', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
  },
};
