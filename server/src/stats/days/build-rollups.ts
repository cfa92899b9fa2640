import type { WebsiteStore } from '../../store/website-store.ts';
import { type Dimension, dimensions, eachSql } from '../question/dimensions.ts';
import { isBounce, keptCounts } from '../question/metrics.ts';
import type { BuildSlice, DayTables } from './build-visits.ts';

/** The name of the whole day, which the rollups have as a dimension with one value. */
export const wholeDay = 'total';

const pair = (name: string, value: string) => `('${name}', toString(${value}))`;
export const rolledUp = Object.entries<Dimension>(dimensions).filter(([, dimension]) => dimension.isRolledUp);
const ofVisit = rolledUp.flatMap(([name, { level, sql }]) => (level === 'visit' ? [pair(name, sql)] : []));
const ofRecord = rolledUp.filter(([, { level }]) => level === 'record');

export const countColumns = keptCounts.map(({ column }) => column);
export const rollupColumns = `website_id, day, build, dimension, value, ${countColumns.join(', ')}, clients`;
/** There is no filter, so all of a visit matches. */
const unfiltered = `page_views as matched_views, events as matched_events, ${isBounce} as is_bounce`;
const scope = `
  website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
  and build = {build:UInt64} + dateDiff('day', {from:Date}, day)
  and visitor_id between {first_visitor:UInt64} and {last_visitor:UInt64}`;

/** Which visits are added up. */
type RollupSource = {
  from: string;
  where: string;
  /** Each of their values has its own numbers. */
  keys: string;
  /** A condition on the visits whose visitors are kept as the clients of the day. */
  hasClient: string;
};

const select = rollupsSql({
  from: 'visits',
  where: scope,
  keys: 'website_id, day, build',
  hasClient: 'has_client_id',
});

/** Adds up visits for every dimension: selects the keys, the dimension, the value, the counts, the clients. */
export function rollupsSql(source: RollupSource): string {
  const { from, where, keys, hasClient } = source;
  return `
  with ${unfiltered}
  select
    ${keys}, pair.1 as dimension, pair.2 as value,
    ${keptCounts.map(({ ofVisits, column }) => `${ofVisits()} as sum_${column}`).join(', ')},
    uniqExactStateIf(visitor_id, dimension = '${wholeDay}' and ${hasClient}) as clients
  from ${from}
  array join [('${wholeDay}', ''), ${ofVisit.join(', ')}] as pair
  where ${where}
  group by ${keys}, dimension, value
  union all ${recordsSql(source)}`;
}

/**
 * Adds up the dimensions of records, with one look at the visits for all of them. A visit counts once for
 * each value that its records have.
 */
function recordsSql({ from, where, keys }: RollupSource): string {
  const values = ofRecord.map(([name, { sql, arrays }]) => {
    const each = eachSql(sql, arrays);
    const toRecord = `(value, of_event, nth) -> ('${name}', toString(value), of_event, nth)`;
    return `arrayMap(${toRecord}, ${each}, is_event, arrayEnumerateUniq(${each}))`;
  });
  return `
  with ${unfiltered}, record.3 as of_event, record.4 as nth
  select
    ${keys}, record.1 as dimension, record.2 as value,
    ${keptCounts.map(({ ofRecords, column }) => `${ofRecords()} as sum_${column}`).join(', ')},
    uniqExactStateIf(visitor_id, false) as clients
  from ${from}
  array join arrayConcat(${values.join(', ')}) as record
  where ${where}
  group by ${keys}, dimension, value`;
}

/** Adds up the visits of a slice for every dimension that has rollups. */
export async function buildRollups(
  store: WebsiteStore,
  tables: DayTables,
  slice: BuildSlice,
  settings: Record<string, string | number>,
): Promise<void> {
  await store.run({
    query: `insert into ${tables}_rollups (${rollupColumns}) ${select}`,
    params: {
      from: slice.from,
      to: slice.to,
      build: slice.build,
      first_visitor: slice.firstId,
      last_visitor: slice.lastId,
    },
    settings,
  });
}

/** Adds up what several slices have counted, into the table of past days. */
export async function closeRollups(
  store: WebsiteStore,
  builds: readonly string[],
  settings: Record<string, string | number>,
): Promise<void> {
  await store.run({
    query: `
      insert into closed_rollups (${rollupColumns})
      select
        website_id, day, build, dimension, value,
        ${countColumns.map((column) => `sum(${column})`).join(', ')}, uniqExactMergeState(clients)
      from open_rollups
      where website_id = {website_id:UInt32} and build in {builds:Array(UInt64)}
      group by website_id, day, build, dimension, value`,
    params: { builds: builds.map(BigInt) },
    settings,
  });
}
