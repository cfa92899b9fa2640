import type { ErasedVisit } from '../records/erased-visit.ts';
import { maxLateMs } from '../records/late-limits.ts';
import { occurredAtSql } from '../records/occurred-at.ts';
import type { Question } from './create-store-client.ts';
import { stitchedVisits, visitGapMs } from './stitched-visits.ts';

type Asker = { query<Row>(question: Question): Promise<Row[]> };
type Row = { deviceId: string; firstAt: number; lastAt: number };

const ofVisitor = 'from records where website_id = {website_id:UInt32} and visitor_id = {visitor:UInt64}';
const visits = stitchedVisits({
  where: `
    website_id = {website_id:UInt32}
    and day in (select day ${ofVisitor}) and device_id in (select device_id ${ofVisitor})
    and ${occurredAtSql()} < fromUnixTimestamp64Milli({received_before:Int64}, 'UTC')`,
  columns: ['has_client_id'],
});

/**
 * Finds the visits of a visitor with a ClientId that have records without one, or may still get some that had
 * to wait, among the records that happened before a moment.
 */
export async function findErasedVisits(
  asker: Asker,
  { visitorId, receivedBefore }: { visitorId: string; receivedBefore: number },
): Promise<ErasedVisit[]> {
  const rows = await asker.query<Row>({
    query: `
      select
        toString(device_id) as deviceId, toUnixTimestamp64Milli(first_at) as firstAt,
        toUnixTimestamp64Milli(last_at) as lastAt
      from (${visits.select(`
        device_id, visitor_id, is_shared, visit[1].1 as first_at, visit[-1].1 as last_at,
        arrayExists(r -> not r.${visits.member('has_client_id')}, visit) as is_stitched`)})
      where
        visitor_id = {visitor:UInt64}
        and (is_stitched or not is_shared and lastAt > {late_from:Int64})
      order by firstAt, deviceId`,
    params: {
      visitor: visitorId,
      received_before: receivedBefore,
      late_from: receivedBefore - maxLateMs - visitGapMs,
    },
  });
  return rows.map(({ deviceId, firstAt, lastAt }) => ({
    deviceId,
    // Records that are still to come may belong to the visit as well, before its first one or after its last.
    receivedFrom: firstAt - visitGapMs + 1,
    receivedUntil: Math.min(lastAt + visitGapMs, receivedBefore),
  }));
}
