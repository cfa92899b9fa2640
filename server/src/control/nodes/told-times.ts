import type { Database } from '../database/database.ts';

/** Up to when answers of any node have said that everything is counted. No later answer may say less. */
export type ToldTimes = {
  /** 0 if nobody has asked about the website yet. */
  read(websiteId: number): Promise<number>;
  raise(websiteId: number, ms: number): Promise<void>;
};

export function createToldTimes({ db }: Database): ToldTimes {
  return {
    async read(websiteId) {
      const row = await db
        .selectFrom('told_times')
        .select('told_to')
        .where('website_id', '=', websiteId)
        .executeTakeFirst();
      return row?.told_to ?? 0;
    },
    async raise(websiteId, ms) {
      await db
        .insertInto('told_times')
        .values({ website_id: websiteId, told_to: ms })
        .onConflict((conflict) =>
          conflict.column('website_id').doUpdateSet({ told_to: ms }).where('told_times.told_to', '<', ms),
        )
        .execute();
    },
  };
}
