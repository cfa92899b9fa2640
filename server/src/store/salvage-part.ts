import { copyReadableRows, findFault } from './copy-readable-rows.ts';
import { memoryCode } from './is-out-of-memory.ts';
import { nameOf, type StorePart } from './parts.ts';
import type { StatementRunner } from './remove-rows.ts';

/** Batches that are loaded from the journal again, so that their rows don't have to be salvaged. */
export type ReloadedBatches = { node: string; ranges: readonly { from: number; to: number }[] };

/** Called with the number of rows that are kept, before the part is taken out of the store. */
export type BeforeRemoval = (kept: number) => Promise<void>;

const table = 'salvaged_records';

/**
 * Replaces a damaged part of the records with the rows that can be read. The damaged files stay in the
 * table's folder `detached`. Other parts may have rows of the same batches, because a store that was restored or
 * moved got a batch day by day. The table's comment says how many, which helps `finishSalvage` to tell after a
 * crash whether the rows were put back.
 */
export async function salvagePart(
  runner: StatementRunner,
  part: StorePart,
  reloaded: ReloadedBatches,
  beforeRemoval: BeforeRemoval,
): Promise<{ kept: number }> {
  const name = nameOf(part.name);
  // Rows of another part may still wait there, if putting them back has failed.
  await finishSalvage(runner);
  if (!(await isActive(runner, 'records', name))) return { kept: part.rows };
  await runner.run({ query: `create table ${table} as records comment '${name}'` });
  const isReloaded = reloaded.ranges.map(({ from, to }) => `batch between ${Number(from)} and ${Number(to)}`);
  const condition =
    isReloaded.length === 0 ? 'true' : `not (node = {node:String} and (${isReloaded.join(' or ')}))`;
  await copyReadableRows(runner, part, { into: table, condition, params: { node: reloaded.node } });
  const [counted] = await runner.query<{ rows: number }>({ query: `select count() as rows from ${table}` });
  const kept = counted?.rows ?? 0;
  const others = await countOfBatches(runner, `_part != '${name}'`);
  await runner.run({ query: `alter table ${table} modify comment '${name} ${others ?? 'unknown'}'` });
  // One part is put back entirely or not at all, whenever a crash comes. There may be no space to join them.
  await runner.run({ query: `optimize table ${table} final` }).catch(() => {});
  await beforeRemoval(kept);
  await runner.run({ query: `alter table records detach part '${name}'` });
  await putBack(runner);
  return { kept };
}

/** Completes what a crash interrupted between removing the damaged part and putting its rows back. */
export async function finishSalvage(runner: StatementRunner): Promise<void> {
  const [left] = await runner.query<{ comment: string }>({
    query: `
      select comment from system.tables
      where database = currentDatabase() and name = {table:String}`,
    params: { table },
  });
  if (left === undefined) return;
  const [part = '', others = ''] = left.comment.split(' ');
  if ((await isActive(runner, 'records', part)) || (await isPutBack(runner, others)))
    await runner.run({ query: `drop table ${table} sync` });
  else await putBack(runner);
}

/**
 * A part keeps its files when it is put back. If it has been merged since, it shows by the rows of its batches:
 * there are more than the others, whose number is known unless another part was too damaged to count them.
 */
async function isPutBack(runner: StatementRunner, others: string): Promise<boolean> {
  const hashes = `select hash_of_all_files from system.parts where database = currentDatabase()`;
  const [same] = await runner.query<{ parts: number }>({
    query: `
      select count() as parts from (${hashes} and table = 'records')
      where hash_of_all_files in (${hashes} and table = {table:String} and active)`,
    params: { table },
  });
  if ((same?.parts ?? 0) > 0) return true;
  // There are fewer if rows were deleted in the meantime.
  return ((await countOfBatches(runner, 'true')) ?? 0) > Number(others);
}

/** A part may have been merged, or replaced by newer sums, since it was found damaged. */
async function isActive(runner: StatementRunner, table: string, part: string): Promise<boolean> {
  const rows = await runner.query({
    query: `
      select name from system.parts
      where active and database = currentDatabase() and table = {table:String} and name = {part:String}`,
    params: { table, part },
  });
  return rows.length > 0;
}

/**
 * Counts the rows that the store has of the batches whose rows were salvaged, in the same months. Undefined if
 * a part is too damaged to count them.
 */
async function countOfBatches(runner: StatementRunner, condition: string): Promise<number | undefined> {
  const query = `
    select count() as rows from records
    where ${condition}
      and toYYYYMM(day) in (select distinct toYYYYMM(day) from ${table})
      and (node, batch) in (select distinct node, batch from ${table})`;
  let rows: number | undefined;
  const fault = await findFault(async () => {
    rows = (await runner.query<{ rows: number }>({ query }))[0]?.rows;
  });
  if (fault === memoryCode) throw new Error('expected memory to count the rows of batches, got none');
  return rows;
}

async function putBack(runner: StatementRunner): Promise<void> {
  const months = await runner.query<{ month: number }>({
    query: `select distinct toYYYYMM(day) as month from ${table}`,
  });
  for (const { month } of months)
    await runner.run({ query: `alter table records attach partition ${Number(month)} from ${table}` });
  await runner.run({ query: `drop table ${table} sync` });
}

/**
 * Sums can be calculated from the records again. So the damaged part is set aside, and its days count as
 * never added up.
 */
export async function dropSums(runner: StatementRunner, part: StorePart): Promise<void> {
  if (!(await isActive(runner, part.table, part.name))) return;
  // Other parts may have earlier rows of the same days, whose builds are long gone: these days would count as
  // empty. All days are built again rather than those alone, because one statement can't be interrupted halfway.
  if (part.table === 'day_builds')
    return await runner.run({ query: 'alter table day_builds detach partition all' });
  const month = /^\d{6}$/.exec(part.partition)?.[0];
  const isOfPastDays = /^(?:closed|ended)_/.test(part.table);
  const days = isOfPastDays && month !== undefined ? `toYYYYMM(day) = ${month}` : 'is_open';
  await runner.run({
    query: `alter table day_builds delete where ${days}`,
    settings: { mutations_sync: '2' },
  });
  await runner.run({ query: `alter table ${nameOf(part.table)} detach part '${nameOf(part.name)}'` });
}
