import assert from 'node:assert';
import { daysBetween } from '@trackside/contract/calendar/day.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { buildRollups, closeRollups } from './build-rollups.ts';
import { type BuildSlice, buildVisits, type DayTables } from './build-visits.ts';
import { nameDayRules } from './day-rules.ts';
import type { DayState } from './read-days.ts';

export type BuildOptions = {
  store: WebsiteStore;
  /** They need not follow each other. Each is built as a whole. */
  days: readonly DayState[];
  tables: DayTables;
  /** Microseconds since 1970, or more. It must be higher than the number of any earlier build. */
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
const allIds = 2n ** 64n;

/**
 * Places the records of some days in visits and adds them up, then makes these builds the current ones. A
 * crash before the last statement leaves rows that nobody reads.
 */
export async function buildDays(options: BuildOptions): Promise<void> {
  const { store, tables, nowMs, completeMs } = options;
  assertBuildable(options);
  const first = options.days[0]!.day;
  const last = options.days.at(-1)!.day;
  const records = options.days.reduce((sum, day) => sum + day.records, 0);
  const slices = slicesOf({ ...options, first, last, records });
  // The sums of several slices are added up once more, so that each value has one row for a day.
  const isStaged = tables === 'closed' && slices.length > 1;
  for (const slice of slices) await buildVisits(store, tables, slice, settings, options.rules);
  // All visits are there by now. One visitor can have several devices, whose visits come from several slices.
  for (const slice of slices) await buildRollups(store, isStaged ? 'open' : tables, slice, settings);
  const builds = options.days.map(({ day }) => String(options.build + BigInt(daysBetween(first, day))));
  if (isStaged) {
    await closeRollups(store, builds, settings);
    await dropOpenRollups(store, builds);
  }
  await store.run({
    query: `
      insert into day_builds
        (website_id, day, build, is_open, records, checksum, clients, built_at, as_of, rules)
      select
        {website_id:UInt32}, day, build, {is_open:Bool}, records, checksum, clients,
        fromUnixTimestamp64Milli({now:Int64}), fromUnixTimestamp64Milli({complete:Int64}), {rules:String}
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
      now: nowMs,
      complete: completeMs,
      rules: nameDayRules(options.rules),
      days: options.days.map(({ day }) => day),
      builds: builds.map(BigInt),
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

async function dropOpenRollups(store: WebsiteStore, builds: readonly string[]): Promise<void> {
  for (const build of builds) {
    await store.run({
      query: `alter table open_rollups drop partition (${store.websiteId}, ${BigInt(build)})`,
    });
  }
}

/**
 * Ids are spread evenly. For visits, these are slices of devices, and no visit is in two of them. For
 * rollups, they are slices of visitors, and no visitor is in two of them, so the counts of all slices add up.
 */
function slicesOf(options: {
  first: string;
  last: string;
  build: bigint;
  records: number;
  recordsPerSlice: number;
}): BuildSlice[] {
  const count = BigInt(Math.max(1, Math.ceil(options.records / options.recordsPerSlice)));
  const width = allIds / count;
  return Array.from({ length: Number(count) }, (_, index) => ({
    from: options.first,
    to: options.last,
    build: String(options.build),
    firstId: String(BigInt(index) * width),
    lastId: String(BigInt(index) === count - 1n ? allIds - 1n : BigInt(index + 1) * width - 1n),
  }));
}
