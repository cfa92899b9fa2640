import { recordKeySql } from '../records/record-key.ts';
import { queryRows, type StoreClient } from './create-store-client.ts';

export type KeyRange = {
  /** Local days, `YYYY-MM-DD`, both included; they spare the store the other partitions. */
  fromDay: string;
  toDay: string;
  /** Minutes since 1970 in which the rows were received. */
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

/** Which records the store has of some minutes, and in which batches, whoever loaded them. */
export async function listKeys(client: StoreClient, range: KeyRange): Promise<StoredKey[]> {
  return await queryRows<StoredKey>(client, { query: question, params: range });
}

/** The highest number of a batch that the store has of a node, 0 without any. Looks at every row. */
export async function readLastBatch(client: StoreClient, node: string): Promise<number> {
  const query = 'select max(batch) as batch from records where node = {node:String}';
  const [row] = await queryRows<{ batch: number }>(client, { query, params: { node } });
  return row?.batch ?? 0;
}
