import { occurredAtSql } from '../../records/occurred-at.ts';
import { mixedDevices, stitchedVisits } from '../../store/stitched-visits.ts';
import type { WebsiteStore } from '../../store/website-store.ts';

export type Activity = {
  /** The visitors of the last 24 hours. */
  visitors: number;
  /** The visitors of the 24 hours before those. */
  visitorsBefore: number;
  /** The visitors of each of the last 24 hours, oldest first. */
  byHour: number[];
};

const hourMs = 3_600_000;
const hours = 24;

// The condition on days covers the last 48 hours in every timezone, and keeps the store from reading more.
const recent = `
  website_id = {website_id:UInt32}
  and day between toDate({now:Int64} / 1000, 'UTC') - 3 and toDate({now:Int64} / 1000, 'UTC') + 1
  and ${occurredAtSql()} > fromUnixTimestamp64Milli({now:Int64} - ${2 * hours * hourMs}, 'UTC')
  and received_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
  and not is_bot`;

// Few devices have several visitors, and only those have to be placed in visits.
const mixed = mixedDevices(recent);
const visits = stitchedVisits({ where: `${recent} and device_id in (${mixed})`, columns: [] });

const question = `
  select
    intDiv({now:Int64} - toUnixTimestamp64Milli(at), ${hourMs}) as hoursAgo,
    intDiv(hoursAgo, ${hours}) as daysAgo,
    uniqExact(visitor_id) as visitors,
    grouping(hoursAgo) = 0 as isHour
  from (
    select visitor_id, ${occurredAtSql()} as at from records where ${recent} and device_id not in (${mixed})
    union all
    ${visits.select('visitor_id, arrayJoin(visit).1 as at')}
  )
  group by grouping sets ((hoursAgo), (daysAgo))`;

type Row = { hoursAgo: number; daysAgo: number; visitors: number; isHour: boolean };

/** Returns the number of visitors hour by hour, as an overview of a website among others. */
export async function askActivity(store: WebsiteStore, nowMs: number): Promise<Activity> {
  const rows = await store.query<Row>({
    query: question,
    params: { now: nowMs },
    isQuick: true,
  });
  const byHour = new Map(rows.filter(({ isHour }) => isHour).map((row) => [row.hoursAgo, row.visitors]));
  const onDay = (wanted: number) =>
    rows.find(({ isHour, daysAgo }) => !isHour && daysAgo === wanted)?.visitors ?? 0;
  return {
    visitors: onDay(0),
    visitorsBefore: onDay(1),
    byHour: Array.from({ length: hours }, (_, index) => byHour.get(hours - 1 - index) ?? 0),
  };
}
