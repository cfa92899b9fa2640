import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode, sqliteCodes } from './sqlite-code.ts';
import { nameDatabase } from './system-fault.ts';

export type FolderLock = { release(): void };

/**
 * Holds a file for this process alone. Returns undefined if another process has it, and still has it after
 * the waiting time. SQLite uses a lock of the operating system, which goes away with the process however it
 * ends, so there are no stale lock files to judge.
 */
export function takeFolderLock(file: string, { waitMs } = { waitMs: 0 }): FolderLock | undefined {
  createPrivateFile(file);
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    // Nothing is ever written, and a journal on disk would need space and an inode.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    if (code === sqliteCodes.busy || code === sqliteCodes.locked) return undefined;
    const ifDamaged = 'delete it while no server and no command is running; it holds no data';
    throw nameDatabase(error, `the lock file ${file}`, { ifDamaged });
  }
  return { release: () => database.close() };
}

/** Opens a new file only. Closing a file that this process has locked would release the lock. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
