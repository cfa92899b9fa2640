import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { deviceOfVisit } from '../sql/visits-of-builds.ts';
import { countColumns, rollupColumns, rollupsSql, wholeDay } from './build-rollups.ts';
import { buildVisits } from './build-visits.ts';
import { countRecords } from './count-records.ts';
import { nameDayRules } from './day-rules.ts';
import { type Built, type BuiltRecords, readDay } from './read-days.ts';
import { slicesOf } from './slices-of.ts';

export type ChangeOptions = {
  store: WebsiteStore;
  day: string;
  base: BuiltRecords;
  /** The change that this one continues from, or the base if it is the first one. */
  previous: BuiltRecords;
  /** The number of the change. It must be higher than that of the day's current build. */
  build: bigint;
  /** The store has everything that was received by this time. */
  completeMs: number;
  /** How many records one statement may hold in memory. */
  recordsPerSlice: number;
  /** Those that the base was built by. */
  rules: AddressRules | undefined;
};

/** With two processors, because someone is looking at the numbers and a change takes a second or so. */
const settings = { max_threads: 2, max_execution_time: 600 };
/** About how many records a device has altogether for each new one. */
const recordsPerNewRecord = 3;

const ofBuild = (name: string) => `website_id = {website_id:UInt32} and build = {${name}:UInt64}`;
const devicesOf = (name: string) => `select ${deviceOfVisit} from open_visits where ${ofBuild(name)}`;
/**
 * Everyone whose visits may differ. A person who has used one of the devices still has visits there, but the
 * device itself may have become a person.
 */
const visitors = `
  select arrayJoin([visitor_id, ${deviceOfVisit}]) from open_visits where ${ofBuild('build')}`;
const ofVisitors = `website_id = {website_id:UInt32} and day = {day:Date} and visitor_id in (${visitors})`;
const clientsBefore = `
  select visitor_id
  from open_visits
  where ${ofVisitors} and build in ({base:UInt64}, {previous:UInt64}) and has_client_id`;

/**
 * All visits of these visitors, before and after. Side 1 is how they are now, side -1 how they were. What a
 * visitor did on other devices is on both sides: it adds nothing, but the visitor is counted once on each
 * side.
 */
const sides = `
  select
    *, arrayJoin(multiIf(
      build = {build:UInt64}, [1], ${deviceOfVisit} in (${devicesOf('build')}), [-1], [1, -1]
    )) as side
  from open_visits
  where ${ofVisitors} and build in ({base:UInt64}, {previous:UInt64}, {build:UInt64})
    and (build != {base:UInt64} or ${deviceOfVisit} not in (${devicesOf('previous')}))`;

const differences = rollupsSql({
  from: `(${sides})`,
  where: 'true',
  keys: 'side',
  hasClient: `has_client_id and side = 1 and visitor_id not in (${clientsBefore})`,
});
const each = (toSql: (column: string) => string) => countColumns.map(toSql).join(', ');

const insertRollups = `
  insert into open_rollups (${rollupColumns})
  select
    {website_id:UInt32}, {day:Date}, {build:UInt64}, dimension, value,
    ${each((column) => `sum(of_${column}) as all_${column}`)}, uniqExactMergeState(of_clients)
  from (
    select
      dimension, value, ${each((column) => `side * toInt64(sum_${column}) as of_${column}`)},
      clients as of_clients
    from (${differences})
    union all
    select dimension, value, ${each((column) => `toInt64(${column})`)}, clients
    from open_rollups
    where ${ofBuild('previous')}
  )
  group by dimension, value
  having dimension = '${wholeDay}' or ${countColumns.map((column) => `all_${column} != 0`).join(' or ')}`;

const copyVisits = `
  insert into open_visits
  select * replace ({build:UInt64} as build)
  from (
    select *
    from open_visits
    where ${ofBuild('previous')} and ${deviceOfVisit} not in (${devicesOf('build')})
  )`;

const countClients = `
  select uniqExactMerge(clients) as clients
  from open_rollups
  where ${ofBuild('build')} and dimension = '${wholeDay}'`;

/**
 * Writes what has changed since the base of a day: all visits of the devices that have sent a record since,
 * and by how much each sum of the day differs. Only devices that have sent one since the previous change are
 * looked at. The change is not current yet. Returns undefined, having written nothing, if the records are no
 * longer those that the previous change was built from: some came late, or were removed.
 */
export async function buildChange(options: ChangeOptions): Promise<BuiltRecords | undefined> {
  const { store, day, base, previous, build, completeMs, recordsPerSlice, rules } = options;
  const times = { sinceMs: previous.asOfMs, untilMs: completeMs };
  const { all, earlier } = await countRecords(store, { day, ...times });
  if (earlier.records !== previous.records || earlier.checksum !== previous.checksum) return undefined;
  const records = recordsPerNewRecord * (all.records - previous.records);
  for (const slice of slicesOf({ first: day, last: day, build, records, recordsPerSlice }))
    await buildVisits(store, 'open', slice, settings, { rules, times });
  const isFirst = previous.build === base.build;
  const params = { day, build, base: BigInt(base.build), previous: isFirst ? 0n : BigInt(previous.build) };
  // The sums come before visits of other devices are copied: until then, the visits are those that differ.
  await store.run({ query: insertRollups, params, settings });
  if (!isFirst) await store.run({ query: copyVisits, params, settings });
  const [counted] = await store.query<{ clients: number }>({ query: countClients, params, isQuick: true });
  const clients = base.clients + counted!.clients;
  return { build: String(build), ...all, clients, asOfMs: completeMs };
}

/**
 * Makes a change the current build of a day, if the day still has the base that it was read with, and no later
 * build. Otherwise another process has built the day since, or its sums were found damaged and removed. Returns
 * whether the change counts now.
 */
export async function noteChange(
  store: WebsiteStore,
  note: {
    day: string;
    base: BuiltRecords;
    change: BuiltRecords;
    /** The day's current build, as it was read before the change was built. */
    replaces: Pick<Built, 'base'>;
    rules: AddressRules | undefined;
    nowMs: number;
  },
): Promise<boolean> {
  const { day, base, change, replaces, rules, nowMs } = note;
  await store.run({
    query: `
      insert into day_builds (
        website_id, day, build, is_open, records, checksum, clients, built_at, as_of, rules,
        base, base_records, base_checksum, base_clients, base_as_of
      )
      select
        {website_id:UInt32}, {day:Date}, {build:UInt64}, true, {records:UInt64}, {checksum:UInt64},
        {clients:UInt64}, fromUnixTimestamp64Milli({now:Int64}), fromUnixTimestamp64Milli({as_of:Int64}),
        {rules:String}, {base:UInt64}, {base_records:UInt64}, {base_checksum:UInt64}, {base_clients:UInt64},
        fromUnixTimestamp64Milli({base_as_of:Int64})
      from day_builds final
      where website_id = {website_id:UInt32} and day = {day:Date}
        and base = {replaced_base:UInt64} and build < {build:UInt64}`,
    params: {
      day,
      build: BigInt(change.build),
      records: change.records,
      checksum: BigInt(change.checksum),
      clients: change.clients,
      now: nowMs,
      as_of: change.asOfMs,
      rules: nameDayRules(rules),
      base: BigInt(base.build),
      base_records: base.records,
      base_checksum: BigInt(base.checksum),
      base_clients: base.clients,
      base_as_of: base.asOfMs,
      replaced_base: BigInt(replaces.base?.build ?? 0),
    },
  });
  const { built } = await readDay(store, day);
  return built?.build === change.build;
}
