import type { Migration } from '../migrate.ts';

/** Where backups are kept, so that erasures can be noted there and `doctor` can tell how old they are. */
export const backupPlaces: Migration = {
  number: 16,
  name: 'backup-places',
  async up(db) {
    await db.schema
      .createTable('backup_places')
      .addColumn('place', 'text', (column) => column.primaryKey())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addColumn('records', 'bigint')
      .addColumn('bytes', 'bigint')
      .execute();
  },
};
