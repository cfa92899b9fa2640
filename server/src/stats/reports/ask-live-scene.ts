import { toDay } from '@trackside/contract/calendar/day.ts';
import { occurredAtSql } from '../../records/occurred-at.ts';
import { orderOf, stitchedVisits } from '../../store/stitched-visits.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type AddressRules, plainRules, toPage } from '../../text/address-rules.ts';
import { type AddressSql, addressSql } from '../addresses/address-sql.ts';
import type { Live } from './ask-live.ts';

type Listed = { value: string; visitors: number }[];

/** The current visitors and what they are doing. Nothing in it distinguishes one visitor from another. */
export type LiveScene = Live & {
  /**
   * The entries with the most visitors in the last 30 minutes. A visitor's source is the first one seen in
   * that time.
   */
  pages: Listed;
  sources: Listed;
  countries: Listed;
  /** Newest first. `event` is null for a page view. */
  latest: {
    at: string;
    page: string;
    event: string | null;
    country: string;
    source: string;
    browser: string;
    device: string;
  }[];
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const minutes = 30;
const presentMinutes = 5;
const listed = 10;
const shownRecords = 20;
/** More than it ever takes, so that the next question does not wait forever. */
const maxSeconds = 15;

const recent = `
  website_id = {website_id:UInt32}
  and day between {first_day:Date} and {last_day:Date}
  and ${occurredAtSql()} > fromUnixTimestamp64Milli({now:Int64} - ${minutes * minuteMs}, 'UTC')
  and received_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
  and not is_bot`;

const columns = ['kind', 'path', 'source', 'country', 'event_name', 'browser', 'device'];
const visits = stitchedVisits({ where: recent, columns });
const latestVisits = stitchedVisits({
  where: `${recent}
    and device_id in (
      select device_id from records where ${recent} order by ${occurredAtSql()} desc limit ${shownRecords}
    )`,
  columns,
});
const { member } = visits;
const of = (column: string) => `record.${member(column)}`;
const order = orderOf('record');

// Only the first record of a visit has the source. It is empty on the pages after that.
const firstSource = `argMinIf(${of('source')}, (${order.join(', ')}), ${of('source')} != '')`;
const firstSourceOfVisit = `arrayFirst(r -> r.${member('source')} != '', visit).${member('source')}`;

// Grouped by visitor first, so that each visitor counts once per entry, and the records are read once for all
// lists.
const countsQuery = (addresses: AddressSql) => `
  select counted.1 as what, counted.2 as value, count() as visitors, sum(counted.3) as pageViews
  from (
    select arrayJoin(arrayConcat(
      arrayMap(m -> ('minute', toString(m), countEqual(view_minutes, m)), arrayDistinct(all_minutes)),
      arrayMap(p -> ('page', p, 0), paths),
      [('source', came_from, 0), ('country', lived_in, 0)],
      if(arrayMin(all_minutes) < ${presentMinutes}, [('present', '', 0)], [])
    )) as counted
    from (
      select
        groupArray(
          intDiv({now:Int64} - toUnixTimestamp64Milli(record.1), ${minuteMs}) as minutes_ago
        ) as all_minutes,
        groupArrayIf(minutes_ago, ${of('kind')} = 'page_view') as view_minutes,
        groupUniqArray(${addresses.path(of('path'))}) as paths,
        toString(${firstSource}) as came_from,
        toString(argMin(${of('country')}, (${order.join(', ')}))) as lived_in
      from (${visits.select('visitor_id, arrayJoin(visit) as record')})
      group by visitor_id
    )
  )
  group by what, value
  order by visitors desc, value
  limit ${minutes} by what`;

const latestQuery = `
  select
    toUnixTimestamp64Milli(record.1) as atMs, toString(${of('kind')}) as recordKind, ${of('path')} as path,
    ${of('event_name')} as event, ${of('country')} as country, ${of('browser')} as browser,
    ${of('device')} as device, cameFrom
  from (${latestVisits.select(`${firstSourceOfVisit} as cameFrom, arrayJoin(visit) as record`)})
  order by ${order.map((member) => `${member} desc`).join(', ')}, path, event, country, browser, device
  limit ${shownRecords}`;

type CountsRow = {
  what: 'minute' | 'page' | 'source' | 'country' | 'present';
  value: string;
  visitors: number;
  pageViews: number;
};
type LatestRow = {
  atMs: number;
  recordKind: 'page_view' | 'event';
  path: string;
  event: string;
  country: string;
  browser: string;
  device: string;
  cameFrom: string;
};

/** Runs one statement after the other, so that the live view never takes all sessions for quick questions. */
export async function askLiveScene(
  store: WebsiteStore,
  nowMs: number,
  rules: AddressRules = plainRules,
): Promise<LiveScene> {
  const ask = <Row>(query: string) =>
    store.query<Row>({
      query,
      params: { now: nowMs, ...daysAround(nowMs) },
      settings: { max_execution_time: maxSeconds },
      isQuick: true,
    });
  const counts = await ask<CountsRow>(countsQuery(addressSql(rules)));
  const latest = await ask<LatestRow>(latestQuery);
  const rowsOf = (wanted: CountsRow['what']) => counts.filter(({ what }) => what === wanted);
  const listOf = (what: CountsRow['what']) =>
    rowsOf(what)
      .slice(0, listed)
      .map(({ value, visitors }) => ({ value, visitors }));
  return {
    visitors: rowsOf('present')[0]?.visitors ?? 0,
    minutes: toMinutes(rowsOf('minute')),
    pages: listOf('page'),
    sources: listOf('source'),
    countries: listOf('country'),
    latest: latest.map(({ atMs, recordKind, path, event, cameFrom, country, browser, device }) => ({
      at: new Date(atMs).toISOString(),
      page: toPage(path, rules),
      event: recordKind === 'event' ? event : null,
      country,
      source: cameFrom,
      browser,
      device,
    })),
  };
}

/**
 * Returns the days that the last half hour can fall on in any timezone, to keep the store from reading more.
 */
function daysAround(nowMs: number): { first_day: string; last_day: string } {
  return { first_day: toDay(nowMs - minutes * minuteMs - 12 * hourMs), last_day: toDay(nowMs + 14 * hourMs) };
}

function toMinutes(rows: readonly CountsRow[]): Live['minutes'] {
  const byMinute = new Map(rows.map((row) => [Number(row.value), row]));
  return Array.from({ length: minutes }, (_, index) => {
    const minutesAgo = minutes - 1 - index;
    const { visitors = 0, pageViews = 0 } = byMinute.get(minutesAgo) ?? {};
    return { minutesAgo, visitors, pageViews };
  });
}
