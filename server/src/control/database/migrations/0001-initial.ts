import type { Migration } from '../migrate.ts';

export const initial: Migration = {
  number: 1,
  name: 'initial',
  async up(db, { bytesType }) {
    await db.schema
      .createTable('control_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      // Ids are counted here and not by the table, so that the id of a deleted website is never used again.
      .addColumn('last_website_id', 'bigint', (column) => column.notNull())
      .addColumn('key_check', bytesType)
      .execute();
    await db
      .withTables<{ control_state: { id: number; revision: number; last_website_id: number } }>()
      .insertInto('control_state')
      .values({ id: 1, revision: 0, last_website_id: 0 })
      .execute();

    await db.schema
      .createTable('websites')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('domain', 'text', (column) => column.notNull().unique())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('contingent', 'bigint')
      .addColumn('client_id_key_encrypted', bytesType, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('api_keys')
      .addColumn('key_hash', 'text', (column) => column.primaryKey())
      .addColumn('website_id', 'bigint', (column) =>
        column.notNull().references('websites.id').onDelete('cascade'),
      )
      .addColumn('key_encrypted', bytesType, (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('api_keys_by_website')
      .on('api_keys')
      .columns(['website_id', 'created_at'])
      .execute();

    await db.schema
      .createTable('salts')
      .addColumn('date', 'text', (column) => column.primaryKey())
      .addColumn('salt', bytesType, (column) => column.notNull())
      .addColumn('observed_after_end_ms', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();

    // There is no reference to websites, because deleting a website must not make every later checkpoint of
    // its node fail.
    await db.schema
      .createTable('usage')
      .addColumn('website_id', 'bigint', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('settled', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('usage_primary_key', ['website_id', 'month', 'node'])
      .execute();
    await db.schema
      .createTable('usage_positions')
      .addColumn('node', 'text', (column) => column.primaryKey())
      .addColumn('segment', 'bigint', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .execute();
  },
};
