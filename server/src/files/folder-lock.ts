import { closeSync, openSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteCode, sqliteCodes } from './sqlite-code.ts';
import { nameDatabase, SystemFaultError } from './system-fault.ts';

const removeLock = 'delete it while no server and no command is running; it holds no data';

export type FolderLock = { release(): void };

/**
 * Holds a file for this process alone. Returns undefined if another process has it, and still has it after
 * the waiting time. SQLite uses a lock of the operating system, which goes away with the process however it
 * ends, so there are no stale lock files to judge.
 */
export function takeFolderLock(file: string, { waitMs } = { waitMs: 0 }): FolderLock | undefined {
  createPrivateFile(file);
  const database = openLock(file, waitMs);
  try {
    // Nothing is ever written, and a journal on disk would need space and an inode.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database.close();
    const code = sqliteCode(error);
    if (code === sqliteCodes.busy || code === sqliteCodes.locked) return undefined;
    throw nameFault(error, file);
  }
  return { release: () => database.close() };
}

function openLock(file: string, waitMs: number): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: waitMs });
  } catch (error) {
    throw nameFault(error, file);
  }
}

/** Names the lock, and its owner if that is why it can't be opened. */
function nameFault(error: unknown, file: string): unknown {
  const what = `the lock file ${file}`;
  const code = sqliteCode(error);
  const isClosed = code === sqliteCodes.readOnly || code === sqliteCodes.cannotOpen;
  const owner = statSync(file, { throwIfNoEntry: false })?.uid;
  if (!isClosed || owner === undefined || owner === process.geteuid?.())
    return nameDatabase(error, what, { ifDamaged: removeLock });
  const says = `permission denied: ${what} belongs to the user with the ID ${owner}`;
  return new SystemFaultError({ kind: 'denied', says, todo: removeLock }, error);
}

/** Opens a new file only. Closing a file that this process has locked would release the lock. */
function createPrivateFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}
