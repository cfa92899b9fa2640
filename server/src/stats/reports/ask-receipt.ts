import type { WebsiteStore } from '../../store/website-store.ts';

/** A record by what its node wrote down when it came. */
export type ReceivedRecord = { node: string; receivedAtMs: number; order: number };

// A record can count on another day than that of its receipt, by the timezone or because it came late.
const question = `
  select toString(any(day)) as counts_on
  from records
  where website_id = {website_id:UInt32}
    and day between toDate({at:Int64} / 1000, 'UTC') - 5 and toDate({at:Int64} / 1000, 'UTC') + 1
    and received_at = fromUnixTimestamp64Milli({at:Int64}, 'UTC')
    and received_order = {order:UInt16} and node = {node:String}
  having count() > 0`;

/** Returns the day that a record counts on, or undefined if the store doesn't have it. */
export async function askReceipt(store: WebsiteStore, record: ReceivedRecord): Promise<string | undefined> {
  const { node, receivedAtMs: at, order } = record;
  const [row] = await store.query<{ counts_on: string }>({ query: question, params: { at, order, node } });
  return row?.counts_on;
}
