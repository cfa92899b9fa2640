import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode, sqliteCodes } from './sqlite-code.ts';
import { nameDatabase } from './system-fault.ts';

export type FolderLock = { release(): void };

/**
 * Holds a file for this process alone, or returns undefined when another process has it, and still has it
 * after the time to wait. SQLite's lock is the operating system's: it goes with the process, however that
 * ends, and no stale file has to be judged.
 */
export function takeFolderLock(file: string, { waitMs } = { waitMs: 0 }): FolderLock | undefined {
  createPrivateFile(file);
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    if (code === sqliteCodes.busy || code === sqliteCodes.locked) return undefined;
    const ifDamaged = 'delete it while no server and no command runs; it holds no data';
    throw nameDatabase(error, `the lock file ${file}`, { ifDamaged });
  }
  return { release: () => database.close() };
}

/** Only a new file is opened: closing one that this process has locked would drop the lock. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
