import { addDays } from '@trackside/contract/calendar/day.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';

/** A day as it is in the records now, and as it was when it was built. */
export type DayState = {
  day: string;
  records: number;
  checksum: string;
  /** Undefined until the day is built for the first time. */
  built:
    | {
        build: string;
        isOpen: boolean;
        records: number;
        checksum: string;
        /** How many visitors had a ClientId. */
        clients: number;
        builtAtMs: number;
      }
    | undefined;
};

type RecordsRow = { day: string; records: number; checksum: string };
type BuildRow = {
  day: string;
  build_text: string;
  is_open: boolean;
  records: number;
  checksum_text: string;
  clients: number;
  built_at_ms: number;
};

// A projection answers this from a few rows of each part of the store.
const recordsQuery = `
  select day, count() as records, toString(sum(visitor_id)) as checksum
  from records
  where website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
  group by day`;
const buildsQuery = `
  select
    day, toString(build) as build_text, is_open, records, toString(checksum) as checksum_text, clients,
    toUnixTimestamp64Milli(built_at) as built_at_ms
  from day_builds final
  where website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}`;

/** Reads the days of a period that have records, or had some when they were built. */
export async function readDays(store: WebsiteStore, from: string, to: string): Promise<DayState[]> {
  const params = { from, to };
  // Either may be read first. At worst, a day that is built in between looks stale and is built once more.
  const [records, builds] = await Promise.all([
    store.query<RecordsRow>({ query: recordsQuery, params, isQuick: true }),
    store.query<BuildRow>({ query: buildsQuery, params, isQuick: true }),
  ]);
  const built = new Map(builds.map((row) => [row.day, row]));
  const counted = new Map(records.map((row) => [row.day, row]));
  return [...new Set([...counted.keys(), ...built.keys()])].toSorted().map((day) => ({
    day,
    records: counted.get(day)?.records ?? 0,
    checksum: counted.get(day)?.checksum ?? '0',
    built: toBuilt(built.get(day)),
  }));
}

function toBuilt(row: BuildRow | undefined): DayState['built'] {
  if (row === undefined) return undefined;
  return {
    build: row.build_text,
    isOpen: row.is_open,
    records: row.records,
    checksum: row.checksum_text,
    clients: row.clients,
    builtAtMs: row.built_at_ms,
  };
}

export function isFresh({ records, checksum, built }: DayState): boolean {
  return built !== undefined && built.records === records && built.checksum === checksum;
}

/** Whether a day is stale, or fresh but too old for the tables of days that change. */
export function needsBuild(state: DayState, today: string): boolean {
  return !isFresh(state) || (state.built?.isOpen === true && !mayChange(state.day, today));
}

/** Whether records of a day may still come: today and yesterday. */
export function mayChange(day: string, today: string): boolean {
  return day >= addDays(today, -1);
}

export type DayFreshness = ReturnType<typeof createDayFreshness>;

/** Remembers how long builds have been up to date. */
export function createDayFreshness(clock: Clock) {
  /** When a build of a day that may change last had all records of its day. */
  const lastFreshMs = new Map<string, number>();

  return {
    /** The time up to which these days have all records. */
    asOfMs(days: readonly DayState[]): number {
      const nowMs = clock.now();
      const since = days.flatMap((state) => {
        if (state.built === undefined) return [];
        const { build, isOpen, builtAtMs } = state.built;
        if (!isFresh(state)) return [Math.max(builtAtMs, lastFreshMs.get(build) ?? 0)];
        if (isOpen) lastFreshMs.set(build, nowMs);
        return [];
      });
      return Math.min(nowMs, ...since);
    },
    /** Forgets a build that another one has replaced. */
    forget(build: string): void {
      lastFreshMs.delete(build);
    },
  };
}
