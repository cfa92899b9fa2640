import type { StoreClient } from './create-store-client.ts';

export type BatchParts = { node: string; batches: readonly number[]; month: number };

/** Removes the rows of some batches in one month, and returns when they are gone. */
export async function deleteBatches(client: StoreClient, parts: BatchParts): Promise<void> {
  const { node, batches, month } = parts;
  // A partition can't be a bound parameter, so make sure that only a month gets into the text.
  if (!Number.isInteger(month) || month < 197001 || month > 214912) {
    throw new Error(`expected a month as yyyymm, got ${month}`);
  }
  await client.command({
    query: `
      alter table records delete in partition ${month}
      where node = {node:String} and batch in {batches:Array(UInt64)}`,
    query_params: { node, batches },
    clickhouse_settings: { mutations_sync: '2' },
  });
}
