import { queryRows, type StoreClient } from './create-store-client.ts';

export type BatchRange = {
  node: string;
  fromBatch: number;
  toBatch: number;
  /** `YYYY-MM-DD`. The store doesn't have to read the months before it. */
  fromDay: string;
};

export type BatchCount = {
  batch: number;
  /** The partition: the year times 100 plus the month. */
  month: number;
  rows: number;
};

const question = `
  select batch, toYYYYMM(day) as month, count() as rows
  from records
  where node = {node:String}
    and batch between {fromBatch:UInt64} and {toBatch:UInt64}
    and day >= {fromDay:Date}
  group by batch, month
  order by batch, month`;

/** Counts the rows that the store has of each batch in each month. A batch without rows is left out. */
export async function countBatches(client: StoreClient, range: BatchRange): Promise<BatchCount[]> {
  return await queryRows<BatchCount>(client, { query: question, params: range });
}
