import type { WebsiteStore } from '../../store/of-website.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { type Counts, metrics } from '../question/metrics.ts';
import type { Key, Question } from '../question/question.ts';
import { conditionSql, keySql } from './condition-sql.ts';
import { Parameters } from './parameters.ts';

/** One line of an answer. `time` is the start of its interval; `values` are those of the dimensions, in their order. */
export type CountedRow = { time: string | undefined; values: string[]; counts: Counts };
export type Counted = { rows: CountedRow[]; totalRows: number };

type Row = { time?: string; total: number; [key: `v${number}`]: string } & Counts;

const timeSql = {
  minute: "formatDateTime(at[i], '%Y-%m-%dT%H:%i')",
  hour: "formatDateTime(toStartOfHour(at[i]), '%Y-%m-%dT%H:%i')",
  day: 'toString(day)',
  week: 'toString(toMonday(day))',
  month: 'toString(toStartOfMonth(day))',
} as const;

/** Answers any question from the visits. `builds` are those that count, one for each day that has any records. */
export async function askVisits(
  store: WebsiteStore,
  question: Question,
  builds: readonly string[],
): Promise<Counted> {
  const parameters = new Parameters();
  const query = visitsSql(question, builds, parameters);
  const rows = await store.query<Row>({ query, params: parameters.values });
  return {
    totalRows: Number(rows[0]?.total ?? 0),
    rows: rows.map((row) => ({
      time: row.time,
      values: question.dimensions.map((_, index) => row[`v${index}`]!),
      counts: toCounts(row),
    })),
  };
}

export function toCounts(row: Counts): Counts {
  const { visitors, visits, pageViews, events, bounces, durationMs, converted } = row;
  return { visitors, visits, pageViews, events, bounces, durationMs, converted: converted ?? 0 };
}

type NamedKey = { name: string; sql: string; level: 'visit' | 'record' | 'list' };

function visitsSql(question: Question, builds: readonly string[], parameters: Parameters): string {
  const { period, interval, filters, goal } = question;
  const keys: NamedKey[] = question.dimensions.map((key, index) => ({
    name: `v${index}`,
    sql: keySql(key, parameters),
    level: dimensionOf(key.dimension).level,
  }));
  if (interval !== undefined) {
    const level = interval === 'minute' || interval === 'hour' ? 'record' : 'visit';
    keys.unshift({ name: 'time', sql: timeSql[interval], level });
  }
  const ofVisit = keys.filter(({ level }) => level === 'visit');
  const ofRecord = keys.filter(({ level }) => level !== 'visit');

  const recordConditions = filters
    .filter(({ dimension }) => dimensionOf(dimension).level !== 'visit')
    .map((filter) => conditionSql(filter, parameters));
  if (period.fromTime !== undefined && period.toTime !== undefined) {
    const from = parameters.add('DateTime', `${period.from} ${period.fromTime}:00`);
    const to = parameters.add('DateTime', `${period.to} ${period.toTime}:59`);
    recordConditions.push(`at[i] between toDateTime(${from}, 'UTC') and toDateTime(${to}, 'UTC')`);
  }
  const visitConditions = filters
    .filter(({ dimension }) => dimensionOf(dimension).level === 'visit')
    .map((filter) => conditionSql(filter, parameters));

  const matched =
    recordConditions.length === 0
      ? 'arrayEnumerate(at)'
      : `arrayFilter(i -> ${recordConditions.join(' and ')}, arrayEnumerate(at))`;
  const isPartial = recordConditions.length > 0;
  const needsMatched = isPartial || ofRecord.length > 0;

  const inner = `
    select
      visitor_id,
      page_views = 1 and events = 0 as is_bounce,
      duration_ms,
      ${isPartial ? 'arrayCount(i -> not is_event[i], matched)' : 'page_views'} as matched_views,
      ${isPartial ? 'arrayCount(i -> is_event[i], matched)' : 'events'} as matched_events,
      ${goal === undefined ? 'false' : `has(event_name, ${parameters.add('String', goal)})`} as has_converted
      ${ofVisit.map(({ name, sql }) => `, ${sql} as ${name}`).join('')}
      ${needsMatched ? `, ${matched} as matched` : ''}
      ${ofRecord.length > 0 ? `, ${tuplesSql(ofRecord)} as tuples` : ''}
    from visits
    ${usesFirstDay(question) ? firstDayJoin : ''}
    where website_id = {website_id:UInt32}
      and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
      and build in ${parameters.add('Array(UInt64)', builds.map(BigInt))}
      ${visitConditions.map((condition) => `and ${condition}`).join('\n      ')}
      ${isPartial ? 'and notEmpty(matched)' : ''}`;

  const tupleKeys = ofRecord.map(({ name }, index) => `tuple.${index + 1} as ${name}`);
  const keyNames = keys.map(({ name }) => name);
  const optional = question.dimensions.flatMap((key, index) =>
    dimensionOf(key.dimension).isOptional ? [`v${index} != ''`] : [],
  );
  const counts =
    ofRecord.length > 0
      ? `uniqExact(visitor_id) as visitors, countIf(nth = 1) as visits,
         countIf(not tuple.${ofRecord.length + 1}) as pageViews, countIf(tuple.${ofRecord.length + 1}) as events,
         sumIf(is_bounce, nth = 1) as bounces, sumIf(duration_ms, nth = 1) as durationMs,
         uniqExactIf(visitor_id, has_converted) as converted`
      : `uniqExact(visitor_id) as visitors, count() as visits, sum(matched_views) as pageViews,
         sum(matched_events) as events, sum(is_bounce) as bounces, sum(duration_ms) as durationMs,
         uniqExactIf(visitor_id, has_converted) as converted`;
  const arrayJoin =
    ofRecord.length > 0
      ? `array join tuples as tuple, arrayEnumerateUniq(arrayMap(t -> tuple(${ofRecord.map((_, index) => `t.${index + 1}`).join(', ')}), tuples)) as nth`
      : '';
  const grouped = `
    select ${[...ofVisit.map(({ name }) => name), ...tupleKeys].map((key) => `${key}, `).join('')} ${counts}
    from (${inner}) ${arrayJoin}
    ${optional.length > 0 ? `where ${optional.join(' and ')}` : ''}
    ${keyNames.length > 0 ? `group by ${keyNames.join(', ')}` : ''}`;
  return pagedSql(grouped, question, keyNames, parameters);
}

/** Adds order, page and the number of all rows. */
export function pagedSql(
  grouped: string,
  question: Question,
  keyNames: string[],
  parameters: Parameters,
): string {
  const order = question.order.flatMap(({ by, descending }) => {
    const direction = descending ? 'desc' : 'asc';
    if (by !== 'dimension') return [`${metrics[by].sql} ${direction}`];
    return keyNames.map((name) => `${name} ${direction}`);
  });
  // The keys last: rows with equal numbers have an order too, so that pages do not overlap.
  const all = [...order, ...keyNames];
  return `
    select *, count() over () as total from (${grouped})
    ${all.length > 0 ? `order by ${all.join(', ')}` : ''}
    limit ${parameters.add('UInt32', question.limit)} offset ${parameters.add('UInt32', question.offset)}`;
}

/** The values of each matching record, and whether it is an event. A record with several values counts for each once. */
function tuplesSql(keys: readonly NamedKey[]): string {
  const lists = keys.filter(({ level }) => level === 'list');
  const members = keys.map(({ level, sql }) => (level === 'list' ? 'v' : sql));
  if (lists.length === 0) return `arrayMap(i -> tuple(${members.join(', ')}, is_event[i]), matched)`;
  const zipped = lists.length === 2;
  const values = zipped
    ? `arrayDistinct(arrayZip(${lists.map(({ sql }) => sql).join(', ')}))`
    : `arrayDistinct(${lists[0]!.sql})`;
  let at = 0;
  const parts = keys.map(({ level, sql }) => {
    if (level !== 'list') return sql;
    at += 1;
    return zipped ? `v.${at}` : 'v';
  });
  return `arrayFlatten(arrayMap(i -> arrayMap(v -> tuple(${parts.join(', ')}, is_event[i]), ${values}), matched))`;
}

const usesFirstDay = ({ dimensions, filters }: Question): boolean =>
  [...dimensions, ...filters].some(({ dimension }: Key) => dimension === 'visitorType');

/** From the records, because a visitor may have been new long before the period. */
const firstDayJoin = `
    left join (
      select visitor_id, min(day) as first_day
      from records
      where website_id = {website_id:UInt32} and has_client_id and not is_bot
      group by visitor_id
    ) as first_days using (visitor_id)`;
