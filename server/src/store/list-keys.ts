import { recordKeySql } from '../records/record-key.ts';
import { queryRows, type StoreClient } from './create-store-client.ts';

export type KeyRange = {
  /** Local days, `YYYY-MM-DD`, both included. The store doesn't have to read the other partitions. */
  fromDay: string;
  toDay: string;
  /** The minutes since 1970 in which the rows were received. */
  minutes: readonly number[];
};

/** Rows of one batch that have the same key: see `recordKey`. */
export type StoredKey = { key: number; node: string; batch: number; rows: number };

const question = `
  select ${recordKeySql} as key, node, batch, count() as rows
  from records
  where day between {fromDay:Date} and {toDay:Date}
    and intDiv(toUnixTimestamp64Milli(received_at), 60000) in {minutes:Array(Int64)}
  group by key, node, batch`;

/** Lists the records that the store has for some minutes, and their batches, no matter who loaded them. */
export async function listKeys(client: StoreClient, range: KeyRange): Promise<StoredKey[]> {
  return await queryRows<StoredKey>(client, { query: question, params: range });
}

/** Returns the highest batch number that the store has of a node, or 0 if there is none. Reads every row. */
export async function readLastBatch(client: StoreClient, node: string): Promise<number> {
  const query = 'select max(batch) as batch from records where node = {node:String}';
  const [row] = await queryRows<{ batch: number }>(client, { query, params: { node } });
  return row?.batch ?? 0;
}
