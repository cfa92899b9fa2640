import assert from 'node:assert';
import { daysBetween } from '@trackside/contract/calendar/day.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { buildRollups, closeRollups } from './build-rollups.ts';
import { buildVisits, type DayTables, type ReceivedTimes } from './build-visits.ts';
import { nameDayRules } from './day-rules.ts';
import type { DayState } from './read-days.ts';
import { slicesOf } from './slices-of.ts';

export type BuildOptions = {
  store: WebsiteStore;
  /** They don't have to follow each other. Each is built as a whole. */
  days: readonly DayState[];
  tables: DayTables;
  /** It must be higher than the number of any earlier build. */
  build: bigint;
  nowMs: number;
  /** The store has everything that was received by this time. */
  completeMs: number;
  /** How many records one statement may hold in memory. */
  recordsPerSlice: number;
  /** Which addresses of the website are one page. */
  rules?: AddressRules | undefined;
};

/** A build leaves most of the machine to questions and to loading. */
const settings = { max_threads: 1, max_execution_time: 600 };

/**
 * Places the records of some days in visits and adds them up, then makes these builds the current ones. A
 * crash before the last statement leaves rows that nobody reads.
 */
export async function buildDays(options: BuildOptions): Promise<void> {
  await buildRows(options);
  await noteBuilds(options, { areBases: false });
}

/** Writes the visits and the sums of builds that are not current yet. */
export async function buildRows(options: BuildOptions, times?: ReceivedTimes): Promise<void> {
  const { store, tables } = options;
  assertBuildable(options);
  const first = options.days[0]!.day;
  const last = options.days.at(-1)!.day;
  const records = options.days.reduce((sum, day) => sum + day.records, 0);
  const slices = slicesOf({ ...options, first, last, records });
  // The sums of several slices are added up once more, so that each value has one row for a day.
  const isStaged = tables === 'closed' && slices.length > 1;
  for (const slice of slices)
    await buildVisits(store, tables, slice, settings, { rules: options.rules, times });
  // All visits are there by now. One visitor can have several devices, whose visits come from several slices.
  for (const slice of slices) await buildRollups(store, isStaged ? 'open' : tables, slice, settings);
  if (!isStaged) return;
  const builds = numbersOfDays(options);
  await closeRollups(store, builds, settings);
  await dropOpenRollups(store, builds);
}

/** Makes builds the current ones. A base has exactly the records that were received by the time it notes. */
export async function noteBuilds(options: BuildOptions, { areBases }: { areBases: boolean }): Promise<void> {
  const { store, tables, nowMs, completeMs } = options;
  await store.run({
    query: `
      insert into day_builds (
        website_id, day, build, is_open, records, checksum, clients, built_at, as_of, rules,
        base, base_records, base_checksum, base_clients, base_as_of
      )
      select
        {website_id:UInt32}, day, build, {is_open:Bool}, records, checksum, clients,
        fromUnixTimestamp64Milli({now:Int64}), fromUnixTimestamp64Milli({complete:Int64}) as complete_at,
        {rules:String}, if({are_bases:Bool}, build, 0), records, checksum, clients, complete_at
      from (
        select
          arrayJoin(arrayZip(
            {days:Array(Date)}, {builds:Array(UInt64)}, {records:Array(UInt64)}, {checksums:Array(UInt64)}
          )) as row,
          row.1 as day, row.2 as build, row.3 as records, row.4 as checksum
      ) as built
      left join (
        select build, uniqExactMerge(clients) as clients
        from rollups
        where website_id = {website_id:UInt32} and dimension = 'total' and build in {builds:Array(UInt64)}
        group by build
      ) as counted using (build)`,
    params: {
      is_open: tables === 'open',
      are_bases: areBases,
      now: nowMs,
      complete: completeMs,
      rules: nameDayRules(options.rules),
      days: options.days.map(({ day }) => day),
      builds: numbersOfDays(options).map(BigInt),
      records: options.days.map((day) => day.records),
      checksums: options.days.map((day) => BigInt(day.checksum)),
    },
  });
}

/**
 * Checks a build before anything is written: one that breaks these rules would replace right numbers by wrong
 * ones.
 */
function assertBuildable({ days, build }: BuildOptions): void {
  assert(days.length > 0, 'A build must have a day.');
  for (const [index, { day, built }] of days.entries()) {
    const before = days[index - 1]?.day ?? '';
    assert(
      before < day,
      'The days of a build must be in order: it reads from the first to the last of them.',
    );
    assert(
      built === undefined || BigInt(built.build) < build,
      `The build of ${day} must have a higher number than the one that it replaces, or the old one stays.`,
    );
  }
}

/** Each day has its own number. */
function numbersOfDays({ days, build }: BuildOptions): string[] {
  return days.map(({ day }) => String(build + BigInt(daysBetween(days[0]!.day, day))));
}

async function dropOpenRollups(store: WebsiteStore, builds: readonly string[]): Promise<void> {
  for (const build of builds) {
    await store.run({
      query: `alter table open_rollups drop partition (${store.websiteId}, ${BigInt(build)})`,
    });
  }
}
