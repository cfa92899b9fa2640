import type { Migration } from '../migrate.ts';

/** The nodes that share this database, and which of them does what only one may do. */
export const nodes: Migration = {
  number: 13,
  name: 'nodes',
  async up(db) {
    await db.schema
      .createTable('nodes')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('address', 'text')
      .addColumn('shares_store', 'integer', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('loaded_to', 'bigint', (column) => column.notNull())
      .addColumn('known_revision', 'bigint', (column) => column.notNull())
      .addColumn('holds_from', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.alterTable('control_state').addColumn('owner_node', 'text').execute();
    for (const name of ['owner_fence', 'owner_renewed_at', 'complete_to'])
      await db.schema
        .alterTable('control_state')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
    await db.schema
      .createTable('told_times')
      .addColumn('website_id', 'bigint', (column) => column.primaryKey())
      .addColumn('told_to', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('wanted_builds')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) => column.notNull())
      .addColumn('first_day', 'text', (column) => column.notNull())
      .addColumn('last_day', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
