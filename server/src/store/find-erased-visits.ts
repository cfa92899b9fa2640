import type { ErasedVisit } from '../records/erased-visit.ts';
import type { Question } from './create-store-client.ts';
import { stitchedVisits, visitGapMs } from './stitched-visits.ts';

type Asker = { query<Row>(question: Question): Promise<Row[]> };
type Row = { deviceId: string; receivedFrom: number; lastAt: number };

const ofVisitor = 'from records where website_id = {website_id:UInt32} and visitor_id = {visitor:UInt64}';
const visits = stitchedVisits({
  where: `
    website_id = {website_id:UInt32}
    and day in (select day ${ofVisitor}) and device_id in (select device_id ${ofVisitor})
    and received_at < fromUnixTimestamp64Milli({received_before:Int64}, 'UTC')`,
  columns: ['has_client_id'],
});

/**
 * Finds the visits of a visitor with a ClientId that have records without one, among the records that were
 * received before a moment.
 */
export async function findErasedVisits(
  asker: Asker,
  { visitorId, receivedBefore }: { visitorId: string; receivedBefore: number },
): Promise<ErasedVisit[]> {
  const rows = await asker.query<Row>({
    query: `
      select
        toString(device_id) as deviceId, toUnixTimestamp64Milli(first_at) as receivedFrom,
        toUnixTimestamp64Milli(last_at) as lastAt
      from (${visits.select(`
        device_id, visitor_id, visit[1].1 as first_at, visit[-1].1 as last_at,
        arrayExists(r -> not r.${visits.member('has_client_id')}, visit) as is_stitched`)})
      where visitor_id = {visitor:UInt64} and is_stitched
      order by receivedFrom, deviceId`,
    params: { visitor: visitorId, received_before: receivedBefore },
  });
  return rows.map(({ deviceId, receivedFrom, lastAt }) => ({
    deviceId,
    receivedFrom,
    // A visit that was still going on may have had more records than are in the store yet.
    receivedUntil: receivedBefore - lastAt < visitGapMs ? receivedBefore : lastAt + 1,
  }));
}
