import { addDays } from '@trackside/contract/calendar/day.ts';
import type { SettledUsage } from '../../control/websites/usage.ts';
import type { Store } from '../../store/open-store.ts';

type OfMonth = { websiteId: number; month: string };

/** Counts the records that the store has of a node, for websites and months in UTC. */
export async function countNodeRecords(
  store: Pick<Store, 'ofWebsite'>,
  node: string,
  months: readonly OfMonth[],
): Promise<SettledUsage[]> {
  const counted: SettledUsage[] = [];
  for (const { websiteId, month } of months) {
    const first = `${month}-01`;
    const rows = await store.ofWebsite(websiteId).query<{ records: number }>({
      query: `
        select count() as records
        from records
        where website_id = {website_id:UInt32} and node = {node:String}
          and day between {from:Date} and {to:Date} and toStartOfMonth(received_at, 'UTC') = {first:Date}`,
      // A website's day begins up to 14 hours before or after that of UTC.
      params: { node, first, from: addDays(first, -1), to: addDays(first, 32) },
    });
    counted.push({ websiteId, month, records: Number(rows[0]?.records ?? 0) });
  }
  return counted;
}
