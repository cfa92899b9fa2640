import type { Migration } from '../migrate.ts';

/** What came of an erasure, for who asked for it in another process. */
export const erasureResults: Migration = {
  number: 4,
  name: 'erasure-results',
  async up(db) {
    const erasures = db.schema.alterTable('erasures');
    await erasures.addColumn('finished_at', 'bigint').execute();
    await erasures.addColumn('records', 'bigint').execute();
  },
};
