import type { WebsiteStore } from '../../store/website-store.ts';

/** How many records of a day there are, and the sum of their visitor ids. */
export type RecordCount = { records: number; checksum: string };

type Row = { records: number; checksum: string; base_records: number; base_checksum: string };

// Reads two columns of the day. Sums of 64 bits overflow here as they do in the projection of the records.
const question = `
  select
    count() as records, toString(sum(visitor_id)) as checksum,
    countIf(isOfBase) as base_records, toString(sumIf(visitor_id, isOfBase)) as base_checksum
  from (
    select visitor_id, received_at <= fromUnixTimestamp64Milli({since:Int64}) as isOfBase
    from records
    where website_id = {website_id:UInt32} and day = {day:Date}
      and received_at <= fromUnixTimestamp64Milli({until:Int64})
  )`;

/** Counts the records of a day that were received by one time and, among them, by an earlier one. */
export async function countRecords(
  store: WebsiteStore,
  { day, sinceMs, untilMs }: { day: string; sinceMs: number; untilMs: number },
): Promise<{ all: RecordCount; ofBase: RecordCount }> {
  const [row] = await store.query<Row>({ query: question, params: { day, since: sinceMs, until: untilMs } });
  const { records, checksum, base_records, base_checksum } = row!;
  return {
    all: { records, checksum },
    ofBase: { records: base_records, checksum: base_checksum },
  };
}
