import type { WebsiteStore } from '../../store/website-store.ts';
import { keptCounts } from '../question/metrics.ts';
import { deviceOfVisit } from '../sql/visits-of-builds.ts';
import { rollupColumns, rollupsSql, wholeDay } from './build-rollups.ts';
import { buildVisits } from './build-visits.ts';
import { countRecords } from './count-records.ts';
import type { BuiltRecords } from './read-days.ts';
import { slicesOf } from './slices-of.ts';

export type ChangeOptions = {
  store: WebsiteStore;
  day: string;
  base: BuiltRecords;
  /** The number of the change. It must be higher than that of the day's current build. */
  build: bigint;
  nowMs: number;
  /** The store has everything that was received by this time. */
  completeMs: number;
  /** How many records one statement may hold in memory. */
  recordsPerSlice: number;
};

const settings = { max_threads: 1, max_execution_time: 600 };
/** About how many records a device has, of which one or more are new. */
const recordsPerNewRecord = 2;

const ofBuild = (name: string) => `website_id = {website_id:UInt32} and build = {${name}:UInt64}`;
const devices = `select ${deviceOfVisit} from open_visits where ${ofBuild('build')}`;
/**
 * Everybody whose number of visits may differ. A person who has used one of the devices still has visits
 * there, but the device itself may have become a person.
 */
const visitors = `
  select arrayJoin([visitor_id, ${deviceOfVisit}]) from open_visits where ${ofBuild('build')}`;
const clientsBefore = `
  select visitor_id from open_visits where ${ofBuild('base')} and has_client_id and visitor_id in (${visitors})`;

/**
 * All visits of these visitors, before and after. Side 1 is how they are now, side -1 how they are in the
 * base. What a visitor did on other devices is on both sides: it adds nothing, but the visitor is counted once
 * on each side.
 */
const sides = `
  select
    *, arrayJoin(multiIf(build = {build:UInt64}, [1], ${deviceOfVisit} in (${devices}), [-1], [1, -1])) as side
  from open_visits
  where website_id = {website_id:UInt32} and day = {day:Date}
    and build in ({base:UInt64}, {build:UInt64}) and visitor_id in (${visitors})`;

const differences = keptCounts.map(({ column }) => `sum(side * toInt64(sum_${column})) as change_${column}`);
const isDifferent = keptCounts.map(({ column }) => `change_${column} != 0`).join(' or ');
const insertRollups = `
  insert into open_rollups (${rollupColumns})
  select
    {website_id:UInt32}, {day:Date}, {build:UInt64}, dimension, value, ${differences.join(', ')},
    uniqExactMergeState(clients)
  from (${rollupsSql({
    from: `(${sides})`,
    where: 'true',
    keys: 'side',
    hasClient: `has_client_id and side = 1 and visitor_id not in (${clientsBefore})`,
  })})
  group by dimension, value
  having ${isDifferent} or dimension = '${wholeDay}'`;

const noteChange = `
  insert into day_builds (
    website_id, day, build, is_open, records, checksum, clients, built_at, as_of,
    base, base_records, base_checksum, base_clients, base_as_of
  )
  select
    {website_id:UInt32}, {day:Date}, {build:UInt64}, true, {records:UInt64}, {checksum:UInt64},
    {base_clients:UInt64} + uniqExactMerge(clients),
    fromUnixTimestamp64Milli({now:Int64}), fromUnixTimestamp64Milli({complete:Int64}),
    {base:UInt64}, {base_records:UInt64}, {base_checksum:UInt64}, {base_clients:UInt64},
    fromUnixTimestamp64Milli({base_as_of:Int64})
  from open_rollups
  where ${ofBuild('build')} and dimension = '${wholeDay}'`;

/**
 * Builds what has changed since the base of a day: all visits of the devices that have sent a record since,
 * and by how much each sum of the day differs. Then makes the change the current build. A crash before the
 * last statement leaves rows that nobody reads. Returns false, having written nothing, if the records of the
 * base are no longer those that it was built from: some came late, or were removed.
 */
export async function buildChange(options: ChangeOptions): Promise<boolean> {
  const { store, day, base, build, nowMs, completeMs } = options;
  const counted = await countRecords(store, { day, sinceMs: base.asOfMs, untilMs: completeMs });
  if (counted.ofBase.records !== base.records || counted.ofBase.checksum !== base.checksum) return false;
  const records = recordsPerNewRecord * (counted.all.records - base.records);
  const ofDay = { first: day, last: day, build, records };
  for (const slice of slicesOf({ ...ofDay, recordsPerSlice: options.recordsPerSlice }))
    await buildVisits(store, 'open', slice, settings, { untilMs: completeMs, sinceMs: base.asOfMs });
  const params = { day, build, base: BigInt(base.build) };
  await store.run({ query: insertRollups, params, settings });
  await store.run({
    query: noteChange,
    params: {
      ...params,
      records: counted.all.records,
      checksum: BigInt(counted.all.checksum),
      now: nowMs,
      complete: completeMs,
      base_records: base.records,
      base_checksum: BigInt(base.checksum),
      base_clients: base.clients,
      base_as_of: base.asOfMs,
    },
  });
  return true;
}
