import { statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { toInstallation } from '../database/key-check.ts';
import { openPostgres } from '../database/open-postgres.ts';
import { openSqlite } from '../database/open-sqlite.ts';
import { left } from '../nodes/nodes.ts';

/** A control database: the one in a folder, or one on PostgreSQL. */
export type ControlPlace = { folder: string; databaseUrl?: string | undefined };

export type PeekedControl = {
  /** Undefined if the database belongs to no installation yet. */
  installation: string | undefined;
  keyCheck: Uint8Array | null;
  /** Where the installation was moved to from here. */
  movedTo: string | null;
  /** How many other connections servers and commands have open to it. 0 for SQLite, which can't tell. */
  others: number;
  /** The nodes on a store that they share whose journals may hold records that the store lacks. */
  waitedFor: string[];
};

type State = { key_check?: Uint8Array | null; moved_to?: string | null };

const nobody: PeekedControl = {
  installation: undefined,
  keyCheck: null,
  movedTo: null,
  others: 0,
  waitedFor: [],
};

/** Looks at a control database without changing anything in it. It may be of another version. */
export async function peekControl({ folder, databaseUrl }: ControlPlace): Promise<PeekedControl> {
  const file = join(folder, 'control.db');
  if (databaseUrl === undefined && (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    return nobody;
  const database =
    databaseUrl === undefined
      ? await openSqlite(file, { isOnThisThread: true })
      : openPostgres(databaseUrl, { isPatient: true });
  const isPostgres = database.kind === 'postgres';
  try {
    const found = isPostgres
      ? sql<{ name: string | null }>`select to_regclass('control_state')::text as name`
      : sql<{ name: string | null }>`select name from sqlite_master where name = 'control_state'`;
    const others = isPostgres ? await countOthers(database.db) : 0;
    if (((await found.execute(database.db)).rows[0]?.name ?? null) === null) return { ...nobody, others };
    const { rows } = await sql<State>`select * from control_state`.execute(database.db);
    const { key_check: keyCheck = null, moved_to: movedTo = null } = rows[0] ?? {};
    const { rows: used } = await sql<{ number: number }>`select count(*) as number from websites`.execute(
      database.db,
    );
    // A server makes a key for a new file before anything is in it. On PostgreSQL, it may have given it away.
    const isUsed = (used[0]?.number ?? 0) > 0 || (isPostgres && keyCheck !== null);
    const installation = isUsed ? toInstallation(keyCheck) : undefined;
    const waitedFor = isPostgres ? await listWaitedFor(database.db) : [];
    return { installation, keyCheck, movedTo, others, waitedFor };
  } finally {
    await database.close();
  }
}

type Db = Parameters<ReturnType<typeof sql>['execute']>[0];

async function listWaitedFor(db: Db): Promise<string[]> {
  const table = await sql<{ name: string | null }>`select to_regclass('nodes')::text as name`.execute(db);
  if ((table.rows[0]?.name ?? null) === null) return [];
  const { rows } = await sql<{ name: string }>`
    select name from nodes where shares_store = 1 and loaded_to < ${left} order by name`.execute(db);
  return rows.map(({ name }) => name);
}

export async function countOthers(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(*) as number
    from pg_stat_activity
    where datname = current_database() and application_name = 'trackside' and pid <> pg_backend_pid()`.execute(
    db,
  );
  return rows[0]?.number ?? 0;
}
