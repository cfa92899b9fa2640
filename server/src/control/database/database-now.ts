import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';

/** The time by the database's own clock, in milliseconds since 1970. All nodes agree on it. */
export function databaseNow({ kind }: Pick<Database, 'kind'>): RawBuilder<number> {
  return kind === 'postgres'
    ? sql<number>`floor(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}
