import { setTimeout as delay } from 'node:timers/promises';
import type { Question } from './create-store-client.ts';
import type { Removal } from './removals.ts';

export type StatementRunner = {
  query<Row>(question: Question): Promise<Row[]>;
  run(question: Question): Promise<void>;
};

export type RemoveOptions = {
  /** Told how many rows are left, as they go. */
  onLeft?: ((rows: number) => void) | undefined;
};

/** Looking costs something too: how long a removal takes depends on how much there is to look through. */
const lookAfterMs = { first: 50, most: 2_000 };
/**
 * One is enough, and a second for what was inserted meanwhile. More than a few show that they do not help.
 */
const maxMutations = 5;

export async function countRows(runner: StatementRunner, table: string, removal: Removal): Promise<number> {
  const { condition, params } = removal;
  const query = `select count() as rows from ${table} where ${condition}`;
  const [row] = await runner.query<{ rows: number }>({ query, params });
  return row?.rows ?? 0;
}

/**
 * Removes rows, and returns when none is left. A mutation touches every part of its table, whichever
 * partition it is for, so there is one for all of them. Nobody waits in the engine for its end, so that
 * neither the time of a statement nor an engine that is restarted matters: called again, this goes on with
 * the mutation that it finds.
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
    if (left === 0) return;
    if (!(await isMutating(runner, table))) {
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

/** Throws what keeps a mutation from going on. */
async function isMutating(runner: StatementRunner, table: string): Promise<boolean> {
  const [row] = await runner.query<{ mutations: number; fault: string }>({
    query: `
      select count() as mutations, max(latest_fail_reason) as fault
      from system.mutations
      where database = currentDatabase() and table = {table:String} and not is_done`,
    params: { table },
  });
  if (row?.fault) throw new Error(`rows of ${table} cannot be removed: ${row.fault}`);
  return (row?.mutations ?? 0) > 0;
}

/**
 * Removes what was added up for days; answers in how many tables there was something. First what names the
 * builds that count, so that a question finds a day as it was or not at all; the visits last, because they
 * tell whose they are.
 */
export async function removeBuilt(runner: StatementRunner, removal: Removal): Promise<number> {
  let tables = 0;
  for (const table of ['day_builds', 'closed_rollups', 'closed_visits']) {
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
    // A build of these is a partition, of one day. It cannot be a bound parameter: only numbers get into the
    // text.
    for (const { website_id, build_text } of builds)
      await runner.run({
        query: `alter table ${table} drop partition (${Number(website_id)}, ${BigInt(build_text)})`,
      });
  }
  return tables;
}
