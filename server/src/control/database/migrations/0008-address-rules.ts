import type { Migration } from '../migrate.ts';

/** Which addresses of a website count as one page. All of these are off for existing websites. */
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
