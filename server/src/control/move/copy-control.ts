import { hash } from 'node:crypto';
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
import { type Row, readPages } from './read-pages.ts';

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
          for (const table of copiedTables) await copyTable(outOf, into, table);
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
export async function checkSecretKey(
  file: string,
  { keyCheck }: PeekedControl,
  ifOther = 'Restore the right file, or point TRACKSIDE_SECRET_KEY_FILE to it.',
): Promise<void> {
  const key = await readSecretKey(file);
  if (key === undefined)
    throw new ControlOpenError(
      `The secret key file ${file} is missing. Copy it from the server, or point TRACKSIDE_SECRET_KEY_FILE ` +
        'to it: nothing that was moved could be decrypted without it.',
    );
  if (keyCheck === null || fitsKeyCheck(createSecretBox(key), keyCheck)) return;
  throw new ControlOpenError(
    `The secret key in ${file} is not the one that the installation is encrypted with. ${ifOther}`,
  );
}

export async function copyTable(
  from: Kysely<Tables>,
  to: Kysely<Tables>,
  table: keyof Tables,
): Promise<void> {
  const anyTable = to as unknown as Kysely<Record<string, Row>>;
  for await (const rows of readPages(from, table)) {
    const columns = Object.keys(rows[0] ?? {}).length;
    const step = Math.max(1, Math.floor(maxValues / Math.max(1, columns)));
    for (let at = 0; at < rows.length; at += step)
      await anyTable
        .insertInto(table)
        .values(rows.slice(at, at + step))
        .execute();
  }
}

async function compareTables(from: Database, to: Database): Promise<ComparedTable[]> {
  const compared: ComparedTable[] = [];
  for (const table of copiedTables) {
    const [before, after] = [await digestOf(from, table), await digestOf(to, table)];
    const isSame = before.digest === after.digest;
    compared.push({ table, rows: before.rows, copied: after.rows, isSame });
  }
  return compared;
}

/** Doesn't depend on the order of rows and columns. */
async function digestOf({ db }: Database, table: keyof Tables): Promise<{ rows: number; digest: bigint }> {
  let [rows, digest] = [0, 0n];
  for await (const page of readPages(db, table)) {
    rows += page.length;
    for (const row of page) digest = BigInt.asUintN(256, digest + BigInt(`0x${hash('sha256', textOf(row))}`));
  }
  return { rows, digest };
}

function textOf(row: Row): string {
  const columns = Object.keys(row).filter((column) => column !== 'moved_to');
  return JSON.stringify(columns.sort().map((column) => [column, plain(row[column])]));
}

/** PostgreSQL can't store the character 0, which its dialect replaces. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
