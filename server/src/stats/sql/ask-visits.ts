import { TupleParam } from '@clickhouse/client';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import {
  comparison,
  type Dimension,
  dimensionOf,
  eachSql,
  firstDayJoinFor,
  isColumn,
  keySql,
  negated,
  Parameters,
  recordMaskSql,
  visitConditionsSql,
  visitPrefiltersSql,
} from '../question/dimensions.ts';
import { reachedSql } from '../question/goal.ts';
import {
  type Counts,
  countNames,
  countsSql,
  isBounce,
  metrics,
  neededCounts,
  noCounts,
  toCounts,
} from '../question/metrics.ts';
import { isDifference, isSeries, type Question } from '../question/read-question.ts';
import { differingVisits, visitsOfBuilds } from './visits-of-builds.ts';

/**
 * A row of an answer: the start of its interval, the values of the dimensions in their order, and the counts.
 */
export type CountedRow = { time: string | undefined; values: string[]; counts: Counts };
export type Counted = { rows: CountedRow[]; totalRows: number };

type Row = { time?: string; total: number; [key: `v${number}`]: string } & Counts;

/** The first day of an interval. */
export const firstDaySql = { day: 'day', week: 'toMonday(day)', month: 'toStartOfMonth(day)' } as const;

/** The start of an interval of whole days. */
export const dayTimeSql = {
  day: `toString(${firstDaySql.day})`,
  week: `toString(${firstDaySql.week})`,
  month: `toString(${firstDaySql.month})`,
} as const;

/** The start of any interval. Minutes and hours are those of one record, under `at`. */
export const timeSql = {
  minute: "formatDateTime(at, '%Y-%m-%dT%H:%i')",
  hour: "formatDateTime(toStartOfHour(at), '%Y-%m-%dT%H:%i')",
  ...dayTimeSql,
} as const;

/** Answers any question from the visits of these builds, one for each day that has records. */
export async function askVisits(
  store: WebsiteStore,
  question: Question,
  builds: readonly DayBuild[],
): Promise<Counted> {
  const parameters = new Parameters();
  const query = visitsSql(question, builds, parameters);
  // On one processor: a screen asks many questions at once, and other websites must not wait for them.
  const rows = await store.query<Row>({ query, params: parameters.values, settings: { max_threads: 1 } });
  return {
    totalRows: Number(rows[0]?.total ?? 0),
    rows: rows.map((row) => ({
      time: row.time,
      values: question.dimensions.map((_, index) => row[`v${index}`]!),
      counts: pickCounts(row),
    })),
  };
}

export function pickCounts(row: Counts): Counts {
  return toCounts(countNames.map((name) => row[name]));
}

type NamedKey = {
  name: string;
  sql: string;
  level: Dimension['level'];
  arrays: readonly string[];
  /** Whether only events have a value. */
  isOfEvents?: boolean;
};

function visitsSql(question: Question, builds: readonly DayBuild[], parameters: Parameters): string {
  const keys = keysOf(question, parameters);
  const ofRecord = keys.filter(({ level }) => level !== 'visit');
  const keyNames = keys.map(({ name }) => name);
  const conditions = question.dimensions.flatMap((key, index) =>
    dimensionOf(key.dimension).isOptional ? [`v${index} != ''`] : [],
  );
  if (question.only !== undefined) conditions.push(onlySql(question, question.only, parameters));
  const onKey = filtersOnKey(question);
  if (onKey !== undefined)
    conditions.push(...onKey.map((filter) => negated(filter, comparison(filter, parameters)('v0'))));
  const counts = countsSql(ofRecord.length > 0 ? 'ofRecords' : 'ofVisits', {
    needed: neededCounts(question),
    isDifference: isDifference(question),
  });
  const grouped = `
    select ${[...keyNames, counts].join(', ')}
    from (${chosenSql(question, builds, parameters, keys, onKey === undefined)})
    ${ofRecord.length > 0 ? joinSql(ofRecord) : ''}
    ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
    ${keyNames.length > 0 ? `group by ${keyNames.join(', ')}` : ''}`;
  return pagedSql(grouped, question, keyNames, parameters);
}

/**
 * Returns the filters on records, if all of them are about the one value that the records are counted by.
 * That value then shows whether a record matches, after the records have been separated. This takes half the
 * time of finding out before.
 */
function filtersOnKey({ dimensions, filters, period, interval }: Question): Filter[] | undefined {
  const [key, ...others] = dimensions;
  if (key === undefined || others.length > 0 || interval !== undefined) return undefined;
  if (period.fromTime !== undefined || !isColumn(dimensionOf(key.dimension))) return undefined;
  const ofRecords = filters.filter(({ dimension }) => dimensionOf(dimension).level !== 'visit');
  const isOnKey = ofRecords.every(({ dimension }) => dimension === key.dimension);
  return isOnKey && ofRecords.length > 0 ? ofRecords : undefined;
}

function onlySql(
  { dimensions }: Question,
  rows: readonly (readonly string[])[],
  parameters: Parameters,
): string {
  const names = dimensions.map((_, index) => `toString(v${index})`);
  const types = dimensions.map(() => 'String');
  const tuples = rows.map((values) => new TupleParam(values));
  return `tuple(${names.join(', ')}) in ${parameters.add(`Array(Tuple(${types.join(', ')}))`, tuples)}`;
}

/**
 * Selects the visits that a question is about, with what is counted of each. Unless `isMasked`, records that
 * don't match the filters are among theirs.
 */
export function chosenSql(
  question: Question,
  builds: readonly DayBuild[],
  parameters: Parameters,
  keys: readonly NamedKey[],
  isMasked = true,
): string {
  const { period, filters, goal } = question;
  const chosen = differingVisits(question, builds, parameters);
  const ofVisit = keys.filter(({ level }) => level === 'visit');
  const ofRecord = keys.filter(({ level }) => level !== 'visit');
  const mask = isMasked ? recordMaskSql(filters, parameters, withinTimes(period, parameters)) : undefined;
  const conditions = [
    ...visitConditionsSql(filters, parameters),
    ...visitPrefiltersSql(filters, parameters),
    ...question.dimensions.flatMap(({ dimension }) => dimensionOf(dimension).visitsWith ?? []),
    ...(mask === undefined ? [] : ['has(mask, 1)']),
  ];
  // The store would count these for each visit, even if nothing uses them.
  const needed = neededCounts(question);
  const [views, events] =
    mask === undefined
      ? ['page_views', 'events']
      : [
          needed.has('pageViews') ? 'arrayCount((m, e) -> m and not e, mask, is_event)' : '0',
          needed.has('events') ? 'arrayCount((m, e) -> m and e, mask, is_event)' : '0',
        ];
  return `
    select
      visitor_id,
      is_single,
      ${isBounce} as is_bounce,
      duration_ms,
      ${views} as matched_views,
      ${events} as matched_events,
      ${goal === undefined ? 'false' : reachedSql(goal, parameters)} as has_converted
      ${ofVisit.map(({ name, sql }) => `, ${sql} as ${name}`).join('')}
      ${chosen === undefined ? '' : `, ${chosen.columns}`}
      ${mask === undefined ? '' : `, ${mask} as mask`}
      ${joinedArrays(ofRecord, mask !== undefined)}
    from visits
    ${firstDayJoinFor([...question.dimensions, ...filters])}
    where website_id = {website_id:UInt32}
      and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
      and ${chosen?.condition ?? visitsOfBuilds(builds, parameters)}
      ${conditions.map((condition) => `and ${condition}`).join('\n      ')}`;
}

function keysOf(question: Question, parameters: Parameters): NamedKey[] {
  const { interval } = question;
  const keys: NamedKey[] = question.dimensions.map((key, index) => ({
    name: `v${index}`,
    sql: keySql(key, parameters),
    level: dimensionOf(key.dimension).level,
    arrays: dimensionOf(key.dimension).arrays,
    isOfEvents: dimensionOf(key.dimension).visitsWith !== undefined,
  }));
  if (interval === undefined) return keys;
  const isOfRecord = interval === 'minute' || interval === 'hour';
  const time: NamedKey = isOfRecord
    ? { name: 'time', sql: timeSql[interval], level: 'record', arrays: ['at'] }
    : { name: 'time', sql: timeSql[interval], level: 'visit', arrays: [] };
  return [time, ...keys];
}

function withinTimes({ from, to, fromTime, toTime }: Period, parameters: Parameters) {
  if (fromTime === undefined || toTime === undefined) return [];
  const start = parameters.add('DateTime', `${from} ${fromTime}:00`);
  const end = parameters.add('DateTime', `${to} ${toTime}:59`);
  return [{ sql: `at between toDateTime(${start}, 'UTC') and toDateTime(${end}, 'UTC')`, arrays: ['at'] }];
}

/**
 * Makes an array for each key, with its value for each record that matches, and one more that tells which of
 * these records are events. A record with a list of values is there once for each value.
 */
function joinedArrays(keys: readonly NamedKey[], isMasked: boolean): string {
  if (keys.length === 0) return '';
  if (isListOfEvents(keys)) {
    const [{ name, sql }] = keys;
    const values = isMasked ? `arrayFilter((x, m) -> m and x != '', ${sql}, mask)` : sql;
    return `, ${values} as all_${name}, true as of_event`;
  }
  const list = keys.find(({ level }) => level === 'list');
  const masked = (array: string) => (isMasked ? `arrayFilter((x, m) -> m, ${array}, mask)` : array);
  if (list === undefined) {
    const arrays = keys.map(({ name, sql, arrays }) => `, ${masked(eachSql(sql, arrays))} as all_${name}`);
    return `${arrays.join('')}, ${masked('is_event')} as all_events`;
  }
  const values = masked(eachSql(`arrayDistinct(${list.sql})`, list.arrays));
  const repeated = (array: string) =>
    `arrayFlatten(arrayMap((x, l) -> arrayWithConstant(length(l), x), ${array}, lists))`;
  const arrays = keys.map(({ name, level, sql, arrays: of }) =>
    level === 'list'
      ? `, arrayFlatten(lists) as all_${name}`
      : `, ${repeated(masked(eachSql(sql, of)))} as all_${name}`,
  );
  return `, ${values} as lists ${arrays.join('')}, ${repeated(masked('is_event'))} as all_events`;
}

function joinSql(keys: readonly NamedKey[]): string {
  const joined = keys.map(({ name }) => `all_${name} as ${name}`).join(', ');
  const all = keys.map(({ name }) => `all_${name}`).join(', ');
  const kinds = isListOfEvents(keys) ? '' : 'all_events as of_event, ';
  return `array join ${joined}, ${kinds}arrayEnumerateUniq(${all}) as nth`;
}

/** Whether all records that are counted are events, so that none of them has to be looked at to know that. */
function isListOfEvents(keys: readonly NamedKey[]): keys is readonly [NamedKey] {
  return keys.length === 1 && keys[0]!.level === 'record' && keys[0]!.isOfEvents === true;
}

/** Puts rows in order, picks a page of them, and counts all of them. A series has no pages. */
export function pagedSql(
  grouped: string,
  question: Question,
  keyNames: string[],
  parameters: Parameters,
): string {
  if (isSeries(question)) return `select *, count() over () as total from (${grouped}) order by time`;
  const order = question.order.flatMap(({ by, descending }) => {
    const direction = descending ? 'desc' : 'asc';
    if (by !== 'dimension') return [`${metrics[by].sql} ${direction}`];
    return keyNames.map((name) => `${name} ${direction}`);
  });
  // The keys come last, so that rows with equal numbers have an order too and pages do not overlap.
  const all = [...order, ...keyNames];
  return `
    select *, count() over () as total from (${grouped})
    ${all.length > 0 ? `order by ${all.join(', ')}` : ''}
    limit ${parameters.add('UInt32', question.limit)} offset ${parameters.add('UInt32', question.offset)}`;
}

/** What `topSql` selects. */
export type Top = [places: number[], value: string, ...counts: number[]][];

/** Selects the first rows of a list in its order, each with its value and its counts. */
export function topSql({ order, limit }: Pick<Question, 'order' | 'limit'>): string {
  const places = order.map(
    ({ by, descending }) => `${descending ? '-' : ''}(${metrics[by as 'visitors'].sql})`,
  );
  return sortedSql(limit, places);
}

export function sortedSql(limit: number, places: readonly string[]): string {
  const keys = places.map((place) => `toFloat64(${place})`).join(', ');
  return `groupArraySorted(${Number(limit)})(tuple([${keys}], value, ${countNames.join(', ')}))`;
}

/** Makes the answer to a question about one dimension, or none, of the rows that `topSql` selected. */
export function toCounted({ dimensions, interval }: Question, total: number, top: Top): Counted {
  const isSplit = dimensions.length > 0;
  const rows = top.map(([, value, ...counts]) => ({
    time: interval === undefined ? undefined : value,
    values: isSplit ? [value] : [],
    counts: toCounts(counts),
  }));
  if (!isSplit && interval === undefined && rows.length === 0)
    return { totalRows: 1, rows: [{ time: undefined, values: [], counts: noCounts }] };
  return { totalRows: total, rows };
}
