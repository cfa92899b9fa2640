/**
 * The database of a test, by the folder of that test: SQLite in the folder, or a separate database in a
 * PostgreSQL server that all tests of the process share. Which of the two it is depends on the process.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { isLongForm } from '../../test/support/long-form.ts';
import type { Database } from './database/database.ts';
import { openPostgres } from './database/open-postgres.ts';
import { openSqlite } from './database/open-sqlite.ts';
import { startTestPostgres, type TestPostgres } from './test-postgres.ts';

export const isOnPostgres = process.env.TRACKSIDE_TEST_DATABASE === 'postgres';

/** For what only SQLite does, such as files. On PostgreSQL, the test doesn't exist. */
export const testOnSqlite: typeof test = isOnPostgres ? ((() => {}) as unknown as typeof test) : test;
export const testOnPostgres: typeof test = isOnPostgres ? test : ((() => {}) as unknown as typeof test);

/**
 * For what other tests of the same statements show on both databases. In the short form, it is tested on SQLite
 * alone.
 */
export const testOnPostgresInLongForm: typeof test = isLongForm ? test : testOnSqlite;

type Row = Record<string, unknown>;
/** Makes the files of the folder and the tables of a database that is still empty. */
type CreateControl = (options: { folder: string; databaseUrl?: string | undefined }) => Promise<void>;

let server: Promise<TestPostgres> | undefined;
let template: Promise<Map<string, Buffer>> | undefined;
const databases = new Map<string, Promise<string>>();
const free: { prepared: string[]; empty: string[] } = { prepared: [], empty: [] };
let created = 0;

/** The PostgreSQL of this process. */
export function testPostgres(): Promise<TestPostgres> {
  server ??= startTestPostgres();
  return server;
}

/** Returns the URL of the folder's database, or undefined for SQLite. A new one is empty. */
export async function databaseUrlOf(t: TestContext, folder: string): Promise<string | undefined> {
  if (!isOnPostgres) return undefined;
  const postgres = await testPostgres();
  if (!databases.has(folder)) keepFor(t, folder, 'empty', takeEmpty(postgres));
  return postgres.url(await databases.get(folder)!);
}

/** Gives the folder a database that has its tables and is otherwise empty, with its key. */
export async function prepareControl(t: TestContext, folder: string, create: CreateControl): Promise<void> {
  if (!isOnPostgres) {
    template ??= createFiles(create);
    for (const [name, bytes] of await template) await writeFile(join(folder, name), bytes, { mode: 0o600 });
    return;
  }
  const postgres = await testPostgres();
  template ??= createTemplate(postgres, create);
  for (const [name, bytes] of await template) await writeFile(join(folder, name), bytes, { mode: 0o600 });
  keepFor(t, folder, 'prepared', takePrepared(postgres));
  await databases.get(folder);
}

/** Opens the folder's database without the rest of control. */
export async function openTestDatabase(
  t: TestContext,
  folder: string,
  { hasOwnThread = false }: { hasOwnThread?: boolean } = {},
): Promise<Database> {
  const url = await databaseUrlOf(t, folder);
  const database =
    url === undefined
      ? await openSqlite(join(folder, 'control.db'), { isOnThisThread: !hasOwnThread })
      : openPostgres(url, { isPatient: true });
  t.after(() => database.close());
  return database;
}

/** Runs a statement in the folder's database, on another connection. Parameters are question marks. */
export async function runSql(folder: string, text: string, ...values: unknown[]): Promise<Row[]> {
  if (isOnPostgres) {
    let at = 0;
    const numbered = text.replaceAll('?', () => `$${++at}`);
    return await (await testPostgres()).run(await databases.get(folder)!, numbered, values);
  }
  using database = new DatabaseSync(join(folder, 'control.db'), { enableForeignKeyConstraints: true });
  if (values.length === 0 && !/^\s*select/i.test(text)) {
    database.exec(text);
    return [];
  }
  return database.prepare(text).all(...(values as SQLInputValue[]));
}

/** Makes the database refuse every new entry of the audit log, until the returned function is called. */
export async function refuseEntries(folder: string): Promise<() => Promise<void>> {
  if (!isOnPostgres) {
    await runSql(
      folder,
      "create trigger no_entries before insert on audit_log begin select raise(abort, 'no entries'); end",
    );
    return async () => void (await runSql(folder, 'drop trigger no_entries'));
  }
  await runSql(
    folder,
    `create or replace function refuse_entries() returns trigger language plpgsql
       as $body$ begin raise exception 'no entries'; end $body$;
     create trigger no_entries before insert on audit_log execute function refuse_entries()`,
  );
  return async () => void (await runSql(folder, 'drop trigger no_entries on audit_log'));
}

/** All rows of the database, by table. */
export async function readTables(folder: string): Promise<Record<string, Row[]>> {
  const names = await runSql(
    folder,
    isOnPostgres
      ? "select table_name as name from information_schema.tables where table_schema = 'public'"
      : "select name from sqlite_master where type = 'table'",
  );
  const tables: Record<string, Row[]> = {};
  for (const name of names.map((row) => String(row.name)).toSorted()) {
    const rows = await runSql(folder, `select * from "${name}"`);
    tables[name] = rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return tables;
}

/**
 * Returns the names of the files in a folder that contain these bytes. On PostgreSQL, whose files hold more
 * than one test's data, rows are searched in their place.
 */
export async function filesHolding(folder: string, bytes: Buffer | string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(folder)) {
    if ((await readFile(join(folder, name))).includes(bytes)) names.push(name);
  }
  if (isOnPostgres) {
    const values = Object.values(await readTables(folder)).flatMap((rows) => rows.flatMap(Object.values));
    if (values.some((value) => holds(value, bytes))) names.push('control.db');
  }
  return names.sort();
}

function holds(value: unknown, bytes: Buffer | string): boolean {
  const stored = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value));
  return stored.includes(bytes);
}

function keepFor(t: TestContext, folder: string, kind: 'prepared' | 'empty', taken: Promise<string>): void {
  databases.set(folder, taken);
  t.after(async () => {
    databases.delete(folder);
    // It is emptied when it is needed again, because this test may still have it open.
    free[kind].push(await taken);
  });
}

async function takeEmpty(postgres: TestPostgres): Promise<string> {
  const used = free.empty.pop();
  if (used !== undefined) {
    await postgres.run(used, 'drop schema public cascade; create schema public');
    return used;
  }
  const name = `empty_${++created}`;
  await postgres.run('postgres', `create database ${name} template template0`);
  return name;
}

async function takePrepared(postgres: TestPostgres): Promise<string> {
  const used = free.prepared.pop();
  if (used === undefined) {
    const name = `prepared_${++created}`;
    await postgres.run('postgres', `create database ${name} template control`);
    return name;
  }
  // Creating another database takes ten times as long.
  const tables = await postgres.run(
    used,
    "select table_name as name from information_schema.tables where table_schema = 'public'",
  );
  const names = tables.map(({ name }) => String(name)).filter((name) => name !== 'migrations');
  await postgres.run(
    used,
    // Only for these statements: the connection is used again.
    `set local session_replication_role = replica;
     drop trigger if exists no_entries on audit_log;
     delete from migrations where applied_at = 0;
     ${names.map((name) => `delete from "${name}";`).join('\n')}
     insert into control_state select * from spare.control_state;
     set session_replication_role = origin`,
  );
  return used;
}

async function createTemplate(postgres: TestPostgres, create: CreateControl): Promise<Map<string, Buffer>> {
  await postgres.run('postgres', 'create database control template template0');
  const files = await createFiles(create, postgres.url('control'));
  await postgres.run(
    'control',
    'create schema spare; create table spare.control_state as table control_state',
  );
  await postgres.leave('control');
  return files;
}

async function createFiles(create: CreateControl, databaseUrl?: string): Promise<Map<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-control-'));
  await create({ folder, databaseUrl });
  const files = new Map<string, Buffer>();
  for (const name of await readdir(folder)) files.set(name, await readFile(join(folder, name)));
  await rm(folder, { recursive: true });
  return files;
}
