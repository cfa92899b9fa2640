import type { Migration } from '../migrate.ts';

/** Says of a database that its installation is elsewhere now. */
export const moved: Migration = {
  number: 14,
  name: 'moved',
  async up(db) {
    await db.schema.alterTable('control_state').addColumn('moved_to', 'text').execute();
  },
};
