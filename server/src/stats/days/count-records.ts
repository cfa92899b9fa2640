import type { WebsiteStore } from '../../store/website-store.ts';

/** How many records of a day there are, and the sum of their visitor ids. */
export type RecordCount = { records: number; checksum: string };

type Row = { records: number; checksum: string; earlier_records: number; earlier_checksum: string };

// Reads two columns of the day. Sums of 64 bits overflow here as they do in the projection of the records.
const question = `
  select
    count() as records, toString(sum(visitor_id)) as checksum,
    countIf(is_earlier) as earlier_records, toString(sumIf(visitor_id, is_earlier)) as earlier_checksum
  from (
    select visitor_id, received_at <= fromUnixTimestamp64Milli({since:Int64}) as is_earlier
    from records
    where website_id = {website_id:UInt32} and day = {day:Date}
      and received_at <= fromUnixTimestamp64Milli({until:Int64})
  )`;

/** Counts the records of a day that were received by one time and, among them, by an earlier one. */
export async function countRecords(
  store: WebsiteStore,
  { day, sinceMs, untilMs }: { day: string; sinceMs: number; untilMs: number },
): Promise<{ all: RecordCount; earlier: RecordCount }> {
  const [row] = await store.query<Row>({ query: question, params: { day, since: sinceMs, until: untilMs } });
  const { records, checksum, earlier_records, earlier_checksum } = row!;
  return {
    all: { records, checksum },
    earlier: { records: earlier_records, checksum: earlier_checksum },
  };
}
