import type { Database } from '../database/database.ts';

/** A place with backups. What was finished last is null until there is one. */
export type KnownPlace = {
  place: string;
  /** When the last attempt began. */
  startedAt: number;
  finishedAt: number | null;
  records: number | null;
  bytes: number | null;
};

/** The places where backups of this installation are kept. */
export type BackupPlaces = {
  list(): Promise<KnownPlace[]>;
  /** Writes down that a backup begins. From now on, erasures are noted in the place. */
  begin(place: string, startedAt: number): Promise<void>;
  finish(place: string, done: { finishedAt: number; records: number; bytes: number }): Promise<void>;
  /** Erasures are no longer noted there. Returns whether the place was known. */
  forget(place: string): Promise<boolean>;
};

export function createBackupPlaces({ db }: Database): BackupPlaces {
  return {
    async list() {
      const rows = await db.selectFrom('backup_places').selectAll().orderBy('place').execute();
      return rows.map(({ place, started_at, finished_at, records, bytes }) => ({
        place,
        startedAt: started_at,
        finishedAt: finished_at,
        records,
        bytes,
      }));
    },
    async begin(place, startedAt) {
      await db
        .insertInto('backup_places')
        .values({ place, started_at: startedAt, finished_at: null, records: null, bytes: null })
        .onConflict((conflict) => conflict.column('place').doUpdateSet({ started_at: startedAt }))
        .execute();
    },
    async finish(place, { finishedAt, records, bytes }) {
      await db
        .updateTable('backup_places')
        .set({ finished_at: finishedAt, records, bytes })
        .where('place', '=', place)
        .execute();
    },
    async forget(place) {
      const { numDeletedRows } = await db
        .deleteFrom('backup_places')
        .where('place', '=', place)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
