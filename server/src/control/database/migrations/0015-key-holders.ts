import type { Migration } from '../migrate.ts';

/** The nodes that may know an idempotency key, and where other nodes ask them. */
export const keyHolders: Migration = {
  number: 15,
  name: 'key-holders',
  async up(db) {
    await db.schema
      .createTable('key_holders')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
