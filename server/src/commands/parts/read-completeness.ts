import type { Store } from '../../store/open-store.ts';
import type { Clock } from '../../time/clock.ts';

/** A record that was received longer ago says nothing about records that are being loaded now. */
const withinDays = 2;

/**
 * Returns a time by which everything that was received is in the store. A command knows nothing of what is
 * being loaded, but records are loaded in the order in which they were received.
 */
export async function readCompleteness(store: Pick<Store, 'query'>, clock: Clock): Promise<number> {
  const rows = await store.query<{ latest_ms: number }>({
    query: `
      select toUnixTimestamp64Milli(max(received_at)) as latest_ms
      from records
      where day >= toDate(fromUnixTimestamp64Milli({now:Int64}), 'UTC') - {days:UInt32}
      having count() > 0`,
    params: { now: clock.now(), days: withinDays },
  });
  return Number(rows[0]?.latest_ms ?? clock.now());
}
