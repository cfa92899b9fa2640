import type { Migration } from '../migrate.ts';

/** The origins whose pages may read the statistics of a website with a read token, as a list in JSON. */
export const readOrigins: Migration = {
  number: 7,
  name: 'read-origins',
  async up(db) {
    await db.schema
      .alterTable('websites')
      .addColumn('read_origins', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
  },
};
