import { copyReadableRows } from './copy-readable-rows.ts';
import { nameOf, type StorePart } from './parts.ts';
import type { StatementRunner } from './remove-rows.ts';

/** Batches that are loaded from the journal again, so that their rows don't have to be salvaged. */
export type ReloadedBatches = { node: string; ranges: readonly { from: number; to: number }[] };

const table = 'salvaged_records';

/**
 * Replaces a damaged part of the records with the rows that can be read. The damaged files stay in the
 * table's folder `detached`. All rows that a batch has in a month are in one part, so a crash in between can
 * be detected, and `finishSalvage` can complete the work.
 */
export async function salvagePart(
  runner: StatementRunner,
  part: StorePart,
  reloaded: ReloadedBatches,
): Promise<{ kept: number }> {
  const name = nameOf(part.name);
  await runner.run({ query: `drop table if exists ${table} sync` });
  await runner.run({ query: `create table ${table} as records comment '${name}'` });
  const isReloaded = reloaded.ranges.map(({ from, to }) => `batch between ${Number(from)} and ${Number(to)}`);
  const condition =
    isReloaded.length === 0 ? 'true' : `not (node = {node:String} and (${isReloaded.join(' or ')}))`;
  await copyReadableRows(runner, part, { into: table, condition, params: { node: reloaded.node } });
  const [counted] = await runner.query<{ rows: number }>({ query: `select count() as rows from ${table}` });
  await runner.run({ query: `alter table records detach part '${name}'` });
  await finishSalvage(runner);
  return { kept: counted?.rows ?? 0 };
}

/** Completes what a crash interrupted between removing the damaged part and putting its rows back. */
export async function finishSalvage(runner: StatementRunner): Promise<void> {
  const [left] = await runner.query<{ part: string }>({
    query: `
      select comment as part from system.tables
      where database = currentDatabase() and name = {table:String}`,
    params: { table },
  });
  if (left === undefined) return;
  const [state] = await runner.query<{ active: number; back: number }>({
    query: `
      select
        (select count() from system.parts
          where active and database = currentDatabase()
            and table = 'records' and name = {part:String}) as active,
        (select count() from records
          where toYYYYMM(day) in (select distinct toYYYYMM(day) from ${table})
            and (node, batch) in (select distinct node, batch from ${table})) as back`,
    params: { part: left.part },
  });
  if (state !== undefined && state.active === 0 && state.back === 0) {
    const months = await runner.query<{ month: number }>({
      query: `select distinct toYYYYMM(day) as month from ${table}`,
    });
    for (const { month } of months)
      await runner.run({ query: `alter table records attach partition ${Number(month)} from ${table}` });
  }
  await runner.run({ query: `drop table ${table} sync` });
}

/**
 * Sums can be calculated from the records again. So the damaged part is set aside, and its days count as
 * never added up.
 */
export async function dropSums(runner: StatementRunner, part: StorePart): Promise<void> {
  const month = /^\d{6}$/.exec(part.partition)?.[0];
  const isOfPastDays = /^(?:closed|ended)_/.test(part.table);
  const days = isOfPastDays && month !== undefined ? `toYYYYMM(day) = ${month}` : 'is_open';
  if (part.table !== 'day_builds')
    await runner.run({
      query: `alter table day_builds delete where ${days}`,
      settings: { mutations_sync: '2' },
    });
  await runner.run({ query: `alter table ${nameOf(part.table)} detach part '${nameOf(part.name)}'` });
}
