import type { Migration } from '../migrate.ts';

/** How many records of a month a node may accept, where several nodes share a contingent. */
export const leases: Migration = {
  number: 12,
  name: 'leases',
  async up(db) {
    await db.schema
      .alterTable('usage')
      .addColumn('leased', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
