import type { Migration } from '../migrate.ts';

/** The result of an erasure, for another process that asked for it. */
export const erasureResults: Migration = {
  number: 4,
  name: 'erasure-results',
  async up(db) {
    const erasures = db.schema.alterTable('erasures');
    await erasures.addColumn('finished_at', 'bigint').execute();
    await erasures.addColumn('records', 'bigint').execute();
  },
};
