import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import type { Control } from '../../control/open-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { sqliteCode } from '../../files/sqlite-code.ts';
import { nameDatabase } from '../../files/system-fault.ts';
import { openLog } from '../../node/open-log.ts';
import type { Clock } from '../../time/clock.ts';
import { CommandError } from '../command.ts';
import { openOwnControl } from './open-own-control.ts';

/** Longer than a command waits for PostgreSQL, or SQLite for another process. */
const openWithinMs = 35_000;

/**
 * Opens the control database for one piece of work. This is safe while a server runs: both rely on the
 * database's own locks.
 */
export async function withControl<T>(
  { config, clock }: { config: Config; clock: Clock },
  work: (control: Control) => Promise<T>,
): Promise<T> {
  const opening = openOwnControl({
    folder: dataFolder(config.dataDir),
    databaseUrl: config.databaseUrl,
    isPatient: true,
    secretKeyFile: config.secretKeyFile,
    clock,
    log: openLog({ level: 'error', isTerminal: false, to: 'stderr' }),
  });
  const control = await withinTime(opening, config.databaseUrl === undefined ? 'disk' : 'database');
  try {
    return await work(control);
  } catch (error) {
    throw nameControlFault(error, config);
  } finally {
    await control.close();
  }
}

/** Says where the control database is that SQLite could not read or write. */
export function nameControlFault(error: unknown, { dataDir }: Pick<Config, 'dataDir'>): unknown {
  if (sqliteCode(error) === undefined) return error;
  return nameDatabase(error, `the control database ${join(dataFolder(dataDir).control, 'control.db')}`);
}

/**
 * Waits for the database with a time limit. A disk or a server that hangs may never answer, and the person must
 * be told.
 */
async function withinTime(opening: Promise<Control>, what: 'disk' | 'database'): Promise<Control> {
  const given = new AbortController();
  const tooLong = delay(openWithinMs, undefined, { signal: given.signal }).then(() => {
    void opening.then((control) => control.close()).catch(() => {});
    const seconds = openWithinMs / 1000;
    throw new CommandError(
      `Cannot open the control database: the ${what} has not responded for ${seconds} s. Check the ${what}.`,
    );
  });
  try {
    return await Promise.race([opening, tooLong]);
  } finally {
    tooLong.catch(() => {});
    given.abort();
  }
}

export function hasData(config: Config): boolean {
  return config.databaseUrl !== undefined || existsSync(dataFolder(config.dataDir).control);
}
