import type { Migration } from '../migrate.ts';

/** Which addresses of a website are one page. They are all off for the websites that are there. */
export const addressRules: Migration = {
  number: 8,
  name: 'address-rules',
  async up(db) {
    for (const name of ['ignore_trailing_slash', 'ignore_case', 'ignore_www']) {
      await db.schema
        .alterTable('websites')
        .addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
    }
  },
};
