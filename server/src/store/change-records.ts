import { setTimeout as delay } from 'node:timers/promises';
import { isMutating, isReplicaBehind, type StatementRunner } from './remove-rows.ts';

/** Records of a website, and what to write into them. Records that have it no longer meet the condition. */
export type RecordChange = {
  condition: string;
  /** The new values, as in `alter table … update`. */
  values: string;
  /** Of the condition and of the values. */
  params: Record<string, unknown>;
};

export type RewriteOptions = { onLeft?: ((records: number) => void) | undefined };

/** A month by its first day. */
export type Month = string;

export const ofMonth = `
  website_id = {website_id:UInt32} and day between {month:Date} and toLastDayOfMonth({month:Date})`;

/** Looking has a cost too. The time that a change takes depends on how much the store has to write. */
const lookAfterMs = { first: 50, most: 2_000 };
/** One mutation is enough. If it takes more than a few, they don't help. */
const maxMutations = 5;
export const settings = { max_execution_time: 110 };

export async function listMonths(runner: StatementRunner): Promise<Month[]> {
  const rows = await runner.query<{ month: Month }>({
    query: `
      select toString(toStartOfMonth(day)) as month
      from records
      where website_id = {website_id:UInt32}
      group by month
      order by month`,
  });
  return rows.map(({ month }) => month);
}

/**
 * Writes other values into records, and returns when all are written. The store finishes a mutation on its
 * own, even if this process or the engine ends in the middle. When called again, this continues with the
 * mutation that it finds.
 */
export async function changeRecords(
  runner: StatementRunner,
  { condition, values, params }: RecordChange,
  { onLeft }: RewriteOptions = {},
): Promise<void> {
  let mutations = 0;
  for (let waitMs = lookAfterMs.first; ; waitMs = Math.min(2 * waitMs, lookAfterMs.most)) {
    const query = `select count() as left from records where ${condition}`;
    const left = (await runner.query<{ left: number }>({ query, params, settings }))[0]?.left ?? 0;
    onLeft?.(left);
    if (left === 0 && !(await isReplicaBehind(runner, 'records'))) return;
    if (left > 0 && !(await isMutating(runner, 'records'))) {
      if (mutations === maxMutations)
        throw new Error(`${left} records have their old values after ${mutations} mutations`);
      mutations += 1;
      await runner.run({
        query: `alter table records update ${values} where ${condition}`,
        params,
        settings: { mutations_sync: '0' },
      });
    }
    await delay(waitMs);
  }
}
