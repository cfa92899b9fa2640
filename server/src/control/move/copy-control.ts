import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { ControlOpenError } from '../database/control-error.ts';
import type { Database } from '../database/database.ts';
import { fitsKeyCheck } from '../database/key-check.ts';
import { createSecretBox } from '../database/secret-box.ts';
import { readSecretKey } from '../database/secret-key-file.ts';
import type { Tables } from '../database/tables.ts';
import { openMigrated } from '../open-control.ts';
import { clearedTables, copiedTables } from './copied-tables.ts';
import type { ControlPlace, PeekedControl } from './peek-control.ts';

export type Row = Record<string, unknown>;
export type ComparedTable = { table: string; rows: number; copied: number; isSame: boolean };

/** Both databases allow at least this many values in one statement. */
const maxValues = 30_000;

/**
 * Copies an installation into a database that has none, or that it was moved away from. From then on, nobody
 * can use the database that it was copied from. That one is closed first: if the process ends between the
 * two commits, nothing can change anymore, and the copy is made the next time.
 */
export async function copyControl(options: {
  from: ControlPlace;
  to: ControlPlace;
  /** What the closed database says about the place of the copy. */
  movedTo: string;
  clock: Clock;
  log: Log;
}): Promise<ComparedTable[]> {
  const { movedTo, clock, log } = options;
  const from = await openMigrated({ ...options.from, clock, log });
  try {
    const to = await openMigrated({ ...options.to, clock, log });
    try {
      await to.db.transaction().execute(async (into) => {
        for (const table of clearedTables) await into.deleteFrom(table).execute();
        await from.db.transaction().execute(async (outOf) => {
          for (const table of copiedTables) await insertRows(into, table, await readRows(outOf, table));
          await into.updateTable('control_state').set({ moved_to: null }).execute();
          await outOf.updateTable('control_state').set({ moved_to: movedTo }).execute();
        });
      });
      return await compareTables(from, to);
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Removes the salts from a database that nobody uses anymore, and that therefore nobody would clean up. */
export async function forgetSalts(options: ControlPlace & { clock: Clock; log: Log }): Promise<void> {
  const database = await openMigrated(options);
  try {
    await database.db.deleteFrom('salts').execute();
    await database.scrub();
  } finally {
    await database.close();
  }
}

/** Refuses a key file that isn't the one of the installation, before anything is copied. */
export async function checkSecretKey(file: string, { keyCheck }: PeekedControl): Promise<void> {
  const key = await readSecretKey(file);
  if (key === undefined)
    throw new ControlOpenError(
      `The secret key file ${file} is missing. Copy it from the server, or point TRACKSIDE_SECRET_KEY_FILE ` +
        'to it: nothing that was moved could be decrypted without it.',
    );
  if (keyCheck === null || fitsKeyCheck(createSecretBox(key), keyCheck)) return;
  throw new ControlOpenError(
    `The secret key in ${file} is not the one that the installation was created with. ` +
      'Restore the right file, or point TRACKSIDE_SECRET_KEY_FILE to it.',
  );
}

export async function readRows(db: Kysely<Tables>, table: keyof Tables): Promise<Row[]> {
  return (await db.selectFrom(table).selectAll().execute()) as Row[];
}

export async function insertRows(
  db: Kysely<Tables>,
  table: keyof Tables,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const step = Math.max(1, Math.floor(maxValues / Math.max(1, columns)));
  const anyTable = db as unknown as Kysely<Record<string, Row>>;
  for (let at = 0; at < rows.length; at += step)
    await anyTable
      .insertInto(table)
      .values(rows.slice(at, at + step))
      .execute();
}

async function compareTables(from: Database, to: Database): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = [];
  for (const table of copiedTables) {
    const [before, after] = [await readRows(from.db, table), await readRows(to.db, table)];
    const isSame = digestOf(before) === digestOf(after);
    compared.push({ table, rows: before.length, copied: after.length, isSame });
  }
  return compared;
}

/** Doesn't depend on the order of rows and columns. */
function digestOf(rows: readonly Row[]): string {
  const lines = rows.map((row) =>
    JSON.stringify(
      Object.keys(row)
        .filter((column) => column !== 'moved_to')
        .sort()
        .map((column) => [column, plain(row[column])]),
    ),
  );
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex');
}

/** PostgreSQL can't store the character 0, which its dialect replaces. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
