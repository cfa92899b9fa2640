import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

export type FolderLock = { release(): void };

const retryEveryMs = 100;

/**
 * Makes this process the only engine on a folder, or answers undefined when another one keeps it.
 * SQLite's file lock is used because Node has none of its own, and the kernel frees it even after kill -9.
 */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(`${folder}.lock`);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) return undefined;
    await wait(retryEveryMs);
  }
}

function tryLock(path: string): FolderLock | undefined {
  const database = new DatabaseSync(path);
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}

const sqliteBusy = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}
