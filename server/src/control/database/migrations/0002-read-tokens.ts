import type { Migration } from '../migrate.ts';

export const readTokens: Migration = {
  number: 2,
  name: 'read-tokens',
  async up(db) {
    // Ids are counted like those of websites: if `token revoke 3` runs twice, it must not hit a token that
    // was created in between.
    await db.schema
      .alterTable('control_state')
      .addColumn('last_read_token_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();

    await db.schema
      .createTable('read_tokens')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema.createIndex('read_tokens_by_website').on('read_tokens').column('website_id').execute();
  },
};
