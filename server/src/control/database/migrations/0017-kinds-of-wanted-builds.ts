import type { Migration } from '../migrate.ts';

/** What a node wants of days. Earlier versions only asked for those that have changed. */
export const kindsOfWantedBuilds: Migration = {
  number: 17,
  name: 'kinds-of-wanted-builds',
  async up(db) {
    await db.schema
      .alterTable('wanted_builds')
      .addColumn('kind', 'text', (column) => column.notNull().defaultTo('changed'))
      .execute();
  },
};
