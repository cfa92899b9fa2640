import type { Migration } from '../migrate.ts';

/** Which records of a website are answered and not counted. Existing websites count all of them. */
export const exclusions: Migration = {
  number: 20,
  name: 'exclusions',
  async up(db) {
    await db.schema
      .alterTable('websites')
      .addColumn('exclusions', 'text', (column) => column.notNull().defaultTo('[]'))
      .execute();
  },
};
