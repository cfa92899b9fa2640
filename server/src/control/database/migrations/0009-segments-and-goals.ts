import type { Migration } from '../migrate.ts';

/** Saved sets of filters, and the pages and events that a website counts as its goals. */
export const segmentsAndGoals: Migration = {
  number: 9,
  name: 'segments-and-goals',
  async up(db) {
    const state = db.schema.alterTable('control_state');
    await state.addColumn('last_segment_id', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
    await state.addColumn('last_goal_id', 'bigint', (column) => column.notNull().defaultTo(0)).execute();

    await db.schema
      .createTable('segments')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'bigint', (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('filters', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('segments_by_website')
      .on('segments')
      .columns(['website_id', 'user_id'])
      .execute();
    await db.schema.createIndex('segments_by_user').on('segments').column('user_id').execute();

    await db.schema
      .createTable('goals')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addColumn('name', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('goals_once', ['website_id', 'kind', 'target'])
      .execute();
  },
};
