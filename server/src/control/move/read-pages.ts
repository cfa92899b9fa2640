import { type Kysely, sql } from 'kysely';
import type { Tables } from '../database/tables.ts';

export type Row = Record<string, unknown>;

/** Few enough for the memory of a small server, and enough that a page is no work. */
const rowsInPage = 5_000;

const ofHour = ['website_id', 'hour', 'node', 'key', 'release'];

/** The primary keys of those tables that grow with use. */
const keysOfLargeTables: Partial<Record<keyof Tables, readonly string[]>> = {
  audit_log: ['id'],
  tallies: [...ofHour, 'outcome', 'is_numbered'],
  tally_refusals: [...ofHour, 'code', 'field', 'expected', 'got'],
  tally_streams: ['website_id', 'stream', 'hour', 'node'],
};

/** Reads all rows of a table, some at a time: the largest have millions after a year. */
export async function* readPages(
  db: Kysely<Tables>,
  table: keyof Tables,
  limit = rowsInPage,
): AsyncGenerator<Row[]> {
  const all = (db as unknown as Kysely<Record<string, Row>>).selectFrom(table).selectAll();
  const key = keysOfLargeTables[table];
  if (key === undefined) {
    yield await all.execute();
    return;
  }
  const columns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ; ) {
    const values = last && sql.join(key.map((column) => last?.[column]));
    let rest = values === undefined ? all : all.where(sql<boolean>`(${columns}) > (${values})`);
    for (const column of key) rest = rest.orderBy(column);
    const rows = await rest.limit(limit).execute();
    yield rows;
    if (rows.length < limit) return;
    last = rows.at(-1);
  }
}
