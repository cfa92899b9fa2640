import type { Kysely } from 'kysely';
import type { Migration } from '../migrate.ts';

/** The order of funnels, which people choose. So far it was the order in which they were added. */
export const funnelOrder: Migration = {
  number: 11,
  name: 'funnel-order',
  async up(db) {
    await db.schema
      .alterTable('funnels')
      .addColumn('position', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    const untyped = db as Kysely<{ funnels: { id: number; position: number } }>;
    await untyped
      .updateTable('funnels')
      .set((eb) => ({ position: eb.ref('id') }))
      .execute();
  },
};
