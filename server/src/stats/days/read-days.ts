import { addDays } from '@trackside/contract/calendar/day.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from './ready-days.ts';

/** A day as it is in the records now, and as it was when it was built. */
export type DayState = {
  day: string;
  records: number;
  checksum: string;
  /** Undefined until the day is built for the first time. */
  built: Built | undefined;
};

/** The records that a day was built from, and what follows from them. */
export type BuiltRecords = {
  build: string;
  records: number;
  checksum: string;
  /** How many visitors had a ClientId. */
  clients: number;
  /** Everything that was received by this time is in the build. */
  asOfMs: number;
};

/** A day as it was built as a whole, or the base of the day together with its change. */
export type Built = BuiltRecords & {
  isOpen: boolean;
  /** The name of the rules that it was built by. */
  rules: string;
  /**
   * The build that the next change belongs to: this one, or the base of this change. It has exactly the
   * records that were received by its time. Undefined if the day has to be built as a whole.
   */
  base: BuiltRecords | undefined;
};

type RecordsRow = { day: string; records: number; checksum: string };
type BuildRow = {
  day: string;
  build_text: string;
  is_open: boolean;
  records: number;
  checksum_text: string;
  clients: number;
  as_of_ms: number;
  rules: string;
  base_text: string;
  base_records: number;
  base_checksum_text: string;
  base_clients: number;
  base_as_of_ms: number;
};

const ofSpans = `(day between {from:Date} and {to:Date} or day between {open_from:Date} and {open_to:Date})`;
// A projection answers this from a few rows of each part of the store.
const recordsQuery = `
  select day, count() as records, toString(sum(visitor_id)) as checksum
  from records
  where website_id = {website_id:UInt32} and ${ofSpans}
  group by day`;
const buildsQuery = `
  select
    day, toString(build) as build_text, is_open, records, toString(checksum) as checksum_text, clients,
    toUnixTimestamp64Milli(as_of) as as_of_ms, rules, toString(base) as base_text, base_records,
    toString(base_checksum) as base_checksum_text, base_clients,
    toUnixTimestamp64Milli(base_as_of) as base_as_of_ms
  from day_builds final
  where website_id = {website_id:UInt32} and ${ofSpans}`;

/** The first and the last day of a period. */
export type Span = { from: string; to: string };

/**
 * Reads the days of a period that have records, or had some when they were built. Those of a second period
 * are read along, if there is one.
 */
export async function readDays(store: WebsiteStore, span: Span, open: Span = span): Promise<DayState[]> {
  const params = { ...span, open_from: open.from, open_to: open.to };
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

/** Reads one day, whether it has records or not. */
export async function readDay(store: WebsiteStore, day: string): Promise<DayState> {
  const [state] = await readDays(store, { from: day, to: day });
  return state ?? { day, records: 0, checksum: '0', built: undefined };
}

function toBuilt(row: BuildRow | undefined): Built | undefined {
  if (row === undefined) return undefined;
  return {
    build: row.build_text,
    isOpen: row.is_open,
    rules: row.rules,
    records: row.records,
    checksum: row.checksum_text,
    clients: row.clients,
    asOfMs: Number(row.as_of_ms),
    base: toBase(row),
  };
}

function toBase(row: BuildRow): BuiltRecords | undefined {
  if (row.base_text === '0') return undefined;
  return {
    build: row.base_text,
    records: row.base_records,
    checksum: row.base_checksum_text,
    clients: row.base_clients,
    asOfMs: Number(row.base_as_of_ms),
  };
}

/** The build as a question reads it. */
export function toDayBuild({ build, base }: Built): DayBuild {
  return base === undefined || base.build === build ? { build } : { build, base: base.build };
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
