import type { WebsiteStore } from '../../store/website-store.ts';
import { firstRecordColumns } from './visit-columns.ts';

/** The visitors between two ids on some days of a website. Each day has its own build number. */
export type BuildSlice = {
  from: string;
  to: string;
  /** The build number of `from`. The day after has the next number. */
  build: string;
  firstVisitor: string;
  lastVisitor: string;
};

export type DayTables = 'open' | 'closed';

/** A visit ends when nothing comes for this long. */
export const visitGapMs = 30 * 60 * 1000;

/**
 * The members of a record as a tuple. Tuples are sorted by one member after the other, so records of the same
 * millisecond have an order that does not depend on how they were loaded.
 */
const members = [
  'received_at',
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
const member = (name: string) => members.indexOf(name) + 1;
const ofFirst = (name: string) => `visit[1].${member(name)}`;
const ofEach = (name: string) => `arrayMap(r -> r.${member(name)}, visit)`;

const columns: Record<string, string> = {
  website_id: '{website_id:UInt32}',
  day: 'day',
  build: "{build:UInt64} + dateDiff('day', {from:Date}, day)",
  visitor_id: 'visitor_id',
  has_client_id: 'has_client_id',
  started_at: ofFirst('local_at'),
  duration_ms: "dateDiff('millisecond', visit[1].1, visit[-1].1)",
  page_views: "arrayCount(r -> r.2 = 'page_view', visit)",
  events: "arrayCount(r -> r.2 = 'event', visit)",
  entry_page: `arrayFirst(r -> r.2 = 'page_view', visit).${member('path')}`,
  exit_page: `arrayLast(r -> r.2 = 'page_view', visit).${member('path')}`,
  ...Object.fromEntries(firstRecordColumns.map((name) => [name, ofFirst(name)])),
  at: ofEach('local_at'),
  is_event: "arrayMap(r -> r.2 = 'event', visit)",
  ...Object.fromEntries(
    ['host', 'path', 'query', 'event_name', 'parameter_names', 'parameter_values'].map((name) => [
      name,
      ofEach(name),
    ]),
  ),
};

const select = `
  select ${Object.values(columns).join(', ')}
  from (
    select
      day, visitor_id, has_client_id,
      arrayJoin(arraySplit((r, gap) -> gap >= {visit_gap_ms:UInt32}, sorted, gaps)) as visit
    from (
      select
        day, visitor_id, any(has_client_id) as has_client_id,
        arraySort(groupArray(tuple(${members.join(', ')}))) as sorted,
        arrayDifference(arrayMap(r -> toUnixTimestamp64Milli(r.1), sorted)) as gaps
      from records
      where website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
        and visitor_id between {first_visitor:UInt64} and {last_visitor:UInt64} and not is_bot
      group by day, visitor_id
    )
  )`;

/** Places the records of people, not of bots, in visits. */
export async function buildVisits(
  store: WebsiteStore,
  tables: DayTables,
  slice: BuildSlice,
  settings: Record<string, string | number>,
): Promise<void> {
  await store.run({
    query: `insert into ${tables}_visits (${Object.keys(columns).join(', ')}) ${select}`,
    params: {
      from: slice.from,
      to: slice.to,
      build: slice.build,
      first_visitor: slice.firstVisitor,
      last_visitor: slice.lastVisitor,
      visit_gap_ms: visitGapMs,
    },
    settings,
  });
}
