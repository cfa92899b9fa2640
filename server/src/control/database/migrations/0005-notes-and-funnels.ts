import type { Migration } from '../migrate.ts';

/** What people keep along with the numbers of a website: notes on days, and saved funnels. */
export const notesAndFunnels: Migration = {
  number: 5,
  name: 'notes-and-funnels',
  async up(db) {
    // Ids are counted like those of websites: a removal that is sent twice must not hit something that was
    // added in between.
    const state = db.schema.alterTable('control_state');
    await state.addColumn('last_note_id', 'bigint', (column) => column.notNull().defaultTo(0)).execute();
    await state.addColumn('last_funnel_id', 'bigint', (column) => column.notNull().defaultTo(0)).execute();

    await db.schema
      .createTable('notes')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      // Text and not a reference, so that the author is still named after that user is gone.
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('notes_by_website').on('notes').columns(['website_id', 'day']).execute();

    await db.schema
      .createTable('funnels')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('steps', 'text', (column) => column.notNull())
      .addColumn('within_days', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('funnels_by_website').on('funnels').column('website_id').execute();

    // Anyone may try a public link, so looking for one that doesn't exist must not read every website.
    await db.schema
      .createIndex('websites_by_share_token')
      .on('websites')
      .column('share_token_hash')
      .execute();
  },
};
