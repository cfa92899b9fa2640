import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { eachSql } from '../question/dimensions.ts';
import type { TakeNumber } from './build-numbers.ts';
import { rolledUp, wholeDay } from './build-rollups.ts';
import type { LargeDays } from './large-days.ts';
import { type DayState, readDay, readDays } from './read-days.ts';
import type { SliceSizes } from './slice-sizes.ts';
import { slicesOf } from './slices-of.ts';

/** A build that is not going to be replaced soon: of a past day, or the base of another one. */
export type SettledDay = { day: string; build: string };

/** What a look back from one build has seen: the builds of earlier days. */
export type Look = { look: string; earlier: readonly SettledDay[] };

export type LookParts = {
  takeNumber: TakeNumber;
  sliceSizes: Pick<SliceSizes, 'build'>;
  largeDays: Pick<LargeDays, 'lookFromClients'>;
  /** Runs work while nothing else that takes long is being built. */
  inTurn: <T>(websiteId: number, work: () => Promise<T>) => Promise<T>;
  isStopping: () => boolean;
};

/** How far a look goes back. Questions about longer periods look at the visits. */
export const lookBackDays = 31;
/** The days from which looks are kept at hand: two periods of a month, one of which is compared. */
const keptDays = 2 * (lookBackDays + 1);

/** The dimension that has who was there before, for each value of another one. */
export const againOf = (dimension: string) => `${dimension} again`;

const settings = { max_threads: 1, max_execution_time: 600 };
const ofSlice = `
  website_id = {website_id:UInt32} and has_client_id
  and visitor_id between {first_visitor:UInt64} and {last_visitor:UInt64}`;
/** All visits of those who came on the day, on that day and before. */
const ofVisitors = `
  ${ofSlice}
  and day between {first:Date} and {day:Date} and build in {builds:Array(UInt64)}
  and visitor_id in (
    select visitor_id from visits where ${ofSlice} and day = {day:Date} and build = {build:UInt64}
  )`;
const lastDay = 'maxIf(day, day < {day:Date}) as last_day';
const cameAgain = 'max(day) = {day:Date} and last_day > toDate(0)';

/** The dimensions of visits: the store groups by all of them in one pass, each in its own type. */
const ofVisits = [
  { name: wholeDay, sql: 'website_id', text: "''" },
  ...rolledUp
    .filter(([, { level }]) => level === 'visit')
    .map(([name, { sql }], at) => ({ name, sql, text: `toString(key${at + 1})` })),
];
const ofGroup = (textOf: (dimension: (typeof ofVisits)[number]) => string) =>
  ofVisits.reduce((others, one, at) => `if(grouping(key${at}) = 0, ${textOf(one)}, ${others})`, "''");
const returnsOfVisits = `
  select ${ofGroup(({ name }) => `'${name}'`)} as dimension, ${ofGroup(({ text }) => text)} as value, ${lastDay}
  from (
    select visitor_id, day, ${ofVisits.map(({ sql }, at) => `${sql} as key${at}`).join(', ')}
    from visits
    where ${ofVisitors}
  )
  group by grouping sets (${ofVisits.map((_, at) => `(visitor_id, key${at})`).join(', ')})
  having ${cameAgain}`;

const valuesOfRecords = rolledUp
  .filter(([, { level }]) => level === 'record')
  .map(
    ([name, { sql, arrays }]) =>
      `arrayMap(value -> ('${name}', toString(value)), arrayDistinct(${eachSql(sql, arrays)}))`,
  );
const returnsOfRecords = `
  select pair.1 as dimension, pair.2 as value, ${lastDay}
  from visits
  array join arrayConcat(${valuesOfRecords.join(', ')}) as pair
  where ${ofVisitors}
  group by visitor_id, dimension, value
  having ${cameAgain}`;

const insertReturns = (table: string) => `
  insert into ${table} (website_id, day, build, dimension, value, visitors, last_day, look)
  select
    {website_id:UInt32}, {day:Date}, {build:UInt64}, concat(dimension, '${againOf('')}'), value, count(),
    last_day, {look:UInt64}
  from (${returnsOfVisits} union all ${returnsOfRecords})
  group by dimension, value, last_day`;
const insertLook = (table: string) => `
  insert into ${table} (website_id, day, build, dimension, value, last_day, look)
  select
    {website_id:UInt32}, {day:Date}, {build:UInt64}, 'look', toString(seen.2), seen.1, {look:UInt64}
  from (
    select arrayJoin(arrayConcat([(toDate(0), toUInt64(0))], arrayZip(
      {days:Array(Date)}, {builds:Array(UInt64)}
    ))) as seen
  )`;

/**
 * Finds out, for recent days of a website, which visitors with a ClientId had been there before. Days for
 * which this is known, and whose earlier days have not changed since, are skipped.
 */
export async function lookBack(parts: LookParts, store: WebsiteStore, today: string): Promise<void> {
  const from = addDays(today, -keptDays);
  // Today may be another day elsewhere.
  const days = (await readDays(store, { from, to: addDays(today, 3) })).flatMap(toSettledState);
  if (days.reduce((sum, { clients }) => sum + clients, 0) < parts.largeDays.lookFromClients) return;
  const looks = await readLooks(store, days);
  for (const [at, state] of days.entries()) {
    const since = addDays(state.day, -lookBackDays);
    const earlier = days.slice(0, at).filter(({ day }) => day >= since);
    if (looks.get(state.build)?.some((look) => hasSeen(look, earlier, from))) continue;
    if (parts.isStopping()) return;
    await parts.sliceSizes.build(store.websiteId, (recordsPerSlice) =>
      lookBackFrom({ ...parts, recordsPerSlice }, store, state, earlier),
    );
  }
}

/** Finds the websites with ClientIds on recent days. */
export async function findWithClients(store: Pick<Store, 'query'>, today: string): Promise<number[]> {
  const rows = await store.query<{ website_id: number }>({
    query: `
      select website_id from day_builds final
      where day >= {from:Date} group by website_id having sum(clients) > 0 order by website_id`,
    params: { from: addDays(today, -keptDays) },
  });
  return rows.map(({ website_id }) => website_id);
}

type SettledState = SettledDay & { isOpen: boolean; records: number; clients: number };
/** How many records of all days a slice may have for each that one of a single day may have. */
const recordsOfAllDays = 5;

/** The build that a look goes back from, if the day has one and any ClientIds. */
function toSettledState({ day, built }: DayState): SettledState[] {
  if (built === undefined || built.clients === 0) return [];
  const { isOpen, clients } = built;
  if (!isOpen) return [{ day, isOpen, clients, build: built.build, records: built.records }];
  return built.base === undefined
    ? []
    : [{ day, isOpen, clients, build: built.base.build, records: built.base.records }];
}

async function lookBackFrom(
  { takeNumber, recordsPerSlice, inTurn, isStopping }: LookParts & { recordsPerSlice: number },
  store: WebsiteStore,
  { day, build, isOpen, records }: SettledState,
  earlier: readonly SettledState[],
): Promise<void> {
  const table = isOpen ? 'open_rollups' : 'closed_rollups';
  const of = { day, build: BigInt(build), look: takeNumber([]) };
  const seen = { days: earlier.map((one) => one.day), builds: earlier.map((one) => BigInt(one.build)) };
  const first = seen.days[0] ?? day;
  const ofAll = earlier.reduce((sum, one) => sum + one.records, records);
  const most = Math.max(records, ofAll / recordsOfAllDays);
  const slices = slicesOf({ first, last: day, build: of.build, records: most, recordsPerSlice });
  const statements = [
    ...slices.map(({ firstId, lastId }) => {
      const builds = [...seen.builds, of.build];
      const params = { ...of, first, builds, first_visitor: firstId, last_visitor: lastId };
      return { query: insertReturns(table), params, settings };
    }),
    { query: insertLook(table), params: { ...of, ...seen } },
  ];
  for (const statement of statements) {
    // Each has its own turn, so that other websites don't have to wait for all of them.
    const isDone = await inTurn(store.websiteId, async () => {
      // The day may have been built again, or removed, while this waited for its turn.
      const [now] = toSettledState(await readDay(store, day));
      if (isStopping() || now?.build !== build) return false;
      await store.run(statement);
      return true;
    });
    if (!isDone) return;
  }
}

type LookRow = { build_text: string; look_text: string; seen: [day: string, build: string][] };

/** Reads what looks back from these builds have seen. */
export async function readLooks(
  store: WebsiteStore,
  builds: readonly SettledDay[],
): Promise<Map<string, Look[]>> {
  if (builds.length === 0) return new Map();
  const days = builds.map(({ day }) => day).toSorted();
  const rows = await store.query<LookRow>({
    query: `
      select
        toString(build) as build_text, toString(look) as look_text,
        groupArray((toString(last_day), value)) as seen
      from rollups
      where website_id = {website_id:UInt32} and dimension = 'look'
        and day between {from:Date} and {to:Date} and build in {builds:Array(UInt64)}
      group by build, look`,
    params: { from: days[0], to: days.at(-1), builds: builds.map(({ build }) => BigInt(build)) },
    isQuick: true,
  });
  const looks = rows.map(({ build_text, look_text, seen }) => ({
    build: build_text,
    look: look_text,
    earlier: seen.filter(([, build]) => build !== '0').map(([day, build]) => ({ day, build })),
  }));
  return Map.groupBy(looks, ({ build }) => build);
}

/** Whether a look has seen exactly these builds of earlier days, not counting days before `from`. */
export function hasSeen(look: Look, earlier: readonly SettledDay[], from: string): boolean {
  const since = (days: readonly SettledDay[]) =>
    days.filter(({ day }) => day >= from).map(({ day, build }) => `${day} ${build}`);
  const seen = new Set(since(look.earlier));
  const expected = since(earlier);
  return seen.size === expected.length && expected.every((one) => seen.has(one));
}
