import { removeRows, type StatementRunner } from './remove-rows.ts';

export type BatchParts = { node: string; batches: readonly number[]; month: number };

const ofBatches = 'node = {node:String} and batch in {batches:Array(UInt64)}';

/** Removes the rows of some batches in one month, and returns when they are gone. */
export async function deleteBatches(runner: StatementRunner, parts: BatchParts): Promise<void> {
  const { node, batches, month } = parts;
  // A partition can't be a bound parameter, so make sure that only a month gets into the text.
  if (!Number.isInteger(month) || month < 197001 || month > 214912) {
    throw new Error(`expected a month as yyyymm, got ${month}`);
  }
  const params = { node, batches };
  // A replica that is away would keep the statement waiting.
  if (runner.cluster !== undefined)
    return await removeRows(runner, 'records', {
      condition: `toYYYYMM(day) = ${month} and ${ofBatches}`,
      params,
    });
  await runner.run({
    query: `alter table records delete in partition ${month} where ${ofBatches}`,
    params,
    settings: { mutations_sync: '2' },
  });
}
