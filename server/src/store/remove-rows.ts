import { setTimeout as delay } from 'node:timers/promises';
import type { StoreCluster } from './cluster/store-cluster.ts';
import type { Question } from './create-store-client.ts';
import { databaseName } from './database-name.ts';
import type { Removal } from './removals.ts';

export type StatementRunner = {
  query<Row>(question: Question): Promise<Row[]>;
  run(question: Question): Promise<void>;
  /** Undefined if each host has all rows. */
  cluster: StoreCluster | undefined;
};

export type RemoveOptions = {
  /** Called with the number of rows that are left while they are being removed. */
  onLeft?: ((rows: number) => void) | undefined;
};

/** Looking has a cost too, and the time that a removal takes depends on how much the store has to read. */
const lookAfterMs = { first: 50, most: 2_000 };
/**
 * One mutation is enough, plus one for rows that were inserted in the meantime. If it takes more than a few,
 * they don't help.
 */
const maxMutations = 5;

export async function countRows(runner: StatementRunner, table: string, removal: Removal): Promise<number> {
  const { condition, params } = removal;
  const query = `select count() as rows from ${table} where ${condition}`;
  const [row] = await runner.query<{ rows: number }>({ query, params });
  return row?.rows ?? 0;
}

/**
 * Removes rows, and returns when none is left. A mutation touches every part of its table, whatever partition
 * it is for, so there is one for all of them. Nobody waits in the engine for it to end, so that neither the
 * time limit of a statement nor a restart of the engine matters. When called again, this continues with the
 * mutation that it finds.
 */
export async function removeRows(
  runner: StatementRunner,
  table: string,
  removal: Removal,
  { onLeft }: RemoveOptions = {},
): Promise<void> {
  let mutations = 0;
  for (let waitMs = lookAfterMs.first; ; waitMs = Math.min(2 * waitMs, lookAfterMs.most)) {
    const left = await countRows(runner, table, removal);
    onLeft?.(left);
    if (left === 0 && !(await isReplicaBehind(runner, table))) return;
    if (left > 0 && !(await isMutating(runner, table))) {
      if (mutations === maxMutations)
        throw new Error(`${left} rows of ${table} are left after ${mutations} mutations`);
      mutations += 1;
      const { condition, params } = removal;
      await runner.run({
        query: `alter table ${table} delete where ${condition}`,
        params,
        settings: { mutations_sync: '0' },
      });
    }
    await delay(waitMs);
  }
}

/**
 * Whether a replica still has rows that others have removed or changed. Questions are answered by one replica
 * of each shard. One that can't be reached is left out: it does the same when it is back.
 */
export async function isReplicaBehind(runner: StatementRunner, table: string): Promise<boolean> {
  return runner.cluster !== undefined && (await isMutating(runner, table));
}

/** Throws when something prevents a mutation from making progress. */
export async function isMutating(runner: StatementRunner, table: string): Promise<boolean> {
  const { cluster } = runner;
  const [row] = await runner.query<{ mutations: number; fault: string }>({
    query: `
      select count() as mutations, max(latest_fail_reason) as fault
      from ${cluster?.system('mutations') ?? 'system.mutations'}
      where database = '${databaseName}' and table = {table:String} and not is_done`,
    params: { table: cluster?.localName(table) ?? table },
    ...(cluster && { settings: cluster.reachable }),
  });
  if (row?.fault) throw new Error(`rows of ${table} cannot be changed: ${row.fault}`);
  return (row?.mutations ?? 0) > 0;
}

/**
 * Removes what was added up for days, and returns how many tables had any of it. The table that names the
 * current builds comes first, so that a question finds a day unchanged or not at all. The visits come last,
 * because they tell whose rows these are.
 */
export async function removeBuilt(runner: StatementRunner, removal: Removal): Promise<number> {
  let tables = 0;
  for (const table of ['day_builds', 'closed_rollups', 'closed_visits', 'ended_visits']) {
    if ((await countRows(runner, table, removal)) === 0) continue;
    tables += 1;
    await removeRows(runner, table, removal);
  }
  for (const table of ['open_rollups', 'open_visits']) {
    const { condition, params } = removal;
    const builds = await runner.query<{ website_id: number; build_text: string }>({
      query: `select distinct website_id, toString(build) as build_text from ${table} where ${condition}`,
      params,
    });
    if (builds.length > 0) tables += 1;
    // In these tables, a build is a partition of one day. A partition can't be a bound parameter, so only
    // numbers get into the text.
    for (const { website_id, build_text } of builds)
      await runner.run({
        query: `alter table ${table} drop partition (${Number(website_id)}, ${BigInt(build_text)})`,
      });
  }
  return tables;
}
