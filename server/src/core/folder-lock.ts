import { DatabaseSync } from 'node:sqlite';

export type FolderLock = { release(): void };

/**
 * Holds a file for this process alone, or returns undefined when another process has it, and still has it after the time to
 * wait. SQLite's lock is the operating system's: it goes with the process, however that ends, and no stale file has to be
 * judged.
 */
export function takeFolderLock(file: string, { waitMs } = { waitMs: 0 }): FolderLock | undefined {
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    database.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
