import { type StitchedVisits, stitchedVisits } from '../../store/stitched-visits.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { type AddressSql, addressSql } from '../addresses/address-sql.ts';
import { firstRecordColumns } from './visit-columns.ts';

/**
 * Some days of a website, and a range of 64-bit ids: of devices for visits, of visitors for rollups. Each day
 * has its own build number.
 */
export type BuildSlice = {
  from: string;
  to: string;
  /** The build number of `from`. The day after has the next number. */
  build: string;
  firstId: string;
  lastId: string;
};

export type DayTables = 'open' | 'closed';

const visitsTable = { open: 'open_visits', closed: 'ended_visits' } as const;

/** Which records are placed in visits. */
export type ReceivedTimes = {
  /** Only those that were received by this time. */
  untilMs: number;
  /** Only those of devices that have sent a record after this time. */
  sinceMs?: number;
};

/** How records are placed in visits. */
export type VisitOptions = { rules?: AddressRules | undefined; times?: ReceivedTimes | undefined };

const recordColumns = [
  'kind',
  'host',
  'path',
  'query',
  'event_name',
  ...firstRecordColumns,
  'local_at',
  'parameter_names',
  'parameter_values',
];
const ofSlice = `
  website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
  and device_id between {first_device:UInt64} and {last_device:UInt64} and not is_bot`;
const isReceived = 'received_at <= fromUnixTimestamp64Milli({until:Int64})';
const inSlice = stitchedVisits({ where: ofSlice, columns: recordColumns, isLarge: true });
const received = stitchedVisits({
  where: `${ofSlice} and ${isReceived}`,
  columns: recordColumns,
  isLarge: true,
});
// All records of the devices that have sent a record since.
const changed = stitchedVisits({
  where: `${ofSlice} and ${isReceived} and device_id in (
    select device_id
    from records
    where ${ofSlice} and ${isReceived} and received_at > fromUnixTimestamp64Milli({since:Int64})
  )`,
  columns: recordColumns,
});
const { member } = inSlice;
const isView = `r.${member('kind')} = 'page_view'`;
const isEvent = `r.${member('kind')} = 'event'`;
const ofFirst = (name: string) => `visit[1].${member(name)}`;
const ofEach = (name: string) => `arrayMap(r -> r.${member(name)}, visit)`;

const columns: Record<string, string> = {
  website_id: '{website_id:UInt32}',
  day: 'day',
  build: "{build:UInt64} + dateDiff('day', {from:Date}, day)",
  visitor_id: 'visitor_id',
  device_id: 'if(device_id = visitor_id or {is_closed:Bool}, 0, device_id)',
  has_client_id: 'has_client_id',
  is_single: 'is_single',
  started_at: ofFirst('local_at'),
  duration_ms: "dateDiff('millisecond', visit[1].1, visit[-1].1)",
  page_views: `arrayCount(r -> ${isView}, visit)`,
  events: `arrayCount(r -> ${isEvent}, visit)`,
  entry_page: `arrayFirst(r -> ${isView}, visit).${member('path')}`,
  exit_page: `arrayLast(r -> ${isView}, visit).${member('path')}`,
  ...Object.fromEntries(firstRecordColumns.map((name) => [name, ofFirst(name)])),
  at: ofEach('local_at'),
  is_event: `arrayMap(r -> ${isEvent}, visit)`,
  ...Object.fromEntries(
    ['host', 'path', 'query', 'event_name', 'parameter_names', 'parameter_values'].map((name) => [
      name,
      ofEach(name),
    ]),
  ),
};

/** Returns the columns with paths and hosts by the rules of the website. */
function shownColumns({ path, host }: AddressSql): Record<string, string> {
  return {
    ...columns,
    entry_page: path(columns.entry_page!),
    exit_page: path(columns.exit_page!),
    host: shownEach(columns.host!, host),
    path: shownEach(columns.path!, path),
  };
}

function shownEach(texts: string, show: (sql: string) => string): string {
  const shown = show('text');
  return shown === 'text' ? texts : `arrayMap(text -> ${shown}, ${texts})`;
}

/** Places the records of people, not of bots, in visits. */
export async function buildVisits(
  store: WebsiteStore,
  tables: DayTables,
  slice: BuildSlice,
  settings: Record<string, string | number>,
  { rules, times }: VisitOptions = {},
): Promise<void> {
  const expressions = Object.values(shownColumns(addressSql(rules))).join(', ');
  await store.run({
    query: `
      insert into ${visitsTable[tables]} (${Object.keys(columns).join(', ')})
      ${visitsFor(times).select(expressions)}`,
    params: {
      from: slice.from,
      to: slice.to,
      build: slice.build,
      first_device: slice.firstId,
      last_device: slice.lastId,
      is_closed: tables === 'closed',
      until: times?.untilMs,
      since: times?.sinceMs,
    },
    settings,
  });
}

function visitsFor(times: ReceivedTimes | undefined): StitchedVisits {
  if (times === undefined) return inSlice;
  return times.sinceMs === undefined ? received : changed;
}
