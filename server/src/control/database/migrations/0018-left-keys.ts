import type { Migration } from '../migrate.ts';

/** The idempotency keys of nodes that were stopped, so that other nodes know them. */
export const leftKeys: Migration = {
  number: 18,
  name: 'left-keys',
  async up(db, { bytesType }) {
    for (const name of ['known_at', 'left_at'])
      await db.schema.alterTable('key_holders').addColumn(name, 'bigint').execute();
    await db.schema
      .createTable('left_keys')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('hashes', bytesType, (column) => column.notNull())
      .addPrimaryKeyConstraint('left_keys_key', ['name', 'part'])
      .execute();
  },
};
