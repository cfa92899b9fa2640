import type { Migration } from '../migrate.ts';

/**
 * What an erased person did without a ClientId, in visits that became theirs when they signed in. Such
 * records are recognized by their device and time. An erasure applies once these visits are written down;
 * existing ones apply already.
 */
export const erasedVisits: Migration = {
  number: 6,
  name: 'erased-visits',
  async up(db) {
    await db.schema.alterTable('erasures').addColumn('applied_before', 'bigint').execute();
    const erasures = db.withTables<{ erasures: { applied_before: number; received_before: number } }>();
    await erasures
      .updateTable('erasures')
      .set((eb) => ({ applied_before: eb.ref('received_before') }))
      .execute();
    await db.schema
      .createTable('erased_visits')
      .addColumn('website_id', 'bigint', (column) => column.notNull())
      .addColumn('visitor_id', 'text', (column) => column.notNull())
      .addColumn('device_id', 'text', (column) => column.notNull())
      .addColumn('received_from', 'bigint', (column) => column.notNull())
      .addColumn('received_until', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('erased_visits_primary_key', [
        'website_id',
        'visitor_id',
        'device_id',
        'received_from',
      ])
      .execute();
  },
};
