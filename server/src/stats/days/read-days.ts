import type { WebsiteStore } from '../../store/of-website.ts';

/** A day as it is in the records, and as it was when its build was made. */
export type DayState = {
  day: string;
  records: number;
  checksum: string;
  /** Undefined until it was built for the first time. */
  built:
    | {
        build: string;
        isOpen: boolean;
        records: number;
        checksum: string;
        /** Visitors with a ClientId. */
        clients: number;
        builtAtMs: number;
      }
    | undefined;
};

type Row = {
  day: string;
  records: number;
  checksum: string;
  build: string;
  is_open: boolean;
  built_records: number;
  built_checksum: string;
  clients: number;
  built_at_ms: number;
};

// The records are counted by a projection: a few rows for each part of the store.
const question = `
  select
    toString(if(empty(b.build_text), r.day, b.day)) as day,
    r.records as records, toString(r.checksum) as checksum,
    b.build_text as build, b.is_open as is_open, b.records as built_records, toString(b.checksum) as built_checksum,
    b.clients as clients, toUnixTimestamp64Milli(b.built_at) as built_at_ms
  from (
    select day, count() as records, sum(visitor_id) as checksum
    from records
    where website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
    group by day
  ) as r
  full join (
    select day, toString(build) as build_text, is_open, records, checksum, clients, built_at
    from day_builds final
    where website_id = {website_id:UInt32} and day between {from:Date} and {to:Date}
  ) as b on r.day = b.day
  order by day`;

/** The days of a period that have records, or had. */
export async function readDays(store: WebsiteStore, from: string, to: string): Promise<DayState[]> {
  const rows = await store.query<Row>({ query: question, params: { from, to }, isQuick: true });
  return rows.map((row) => ({
    day: row.day,
    records: row.records,
    checksum: row.checksum,
    built:
      row.build === ''
        ? undefined
        : {
            build: row.build,
            isOpen: row.is_open,
            records: row.built_records,
            checksum: row.built_checksum,
            clients: row.clients,
            builtAtMs: row.built_at_ms,
          },
  }));
}

export function isFresh({ records, checksum, built }: DayState): boolean {
  return built !== undefined && built.records === records && built.checksum === checksum;
}

/** Also when a day is fresh but has become too old for the tables of days that change. */
export function needsBuild(state: DayState, today: string): boolean {
  return !isFresh(state) || (state.built?.isOpen === true && !mayChange(state.day, today));
}

/** Today and yesterday. */
export function mayChange(day: string, today: string): boolean {
  return day >= new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
}
