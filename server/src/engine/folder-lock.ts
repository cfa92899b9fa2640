import { setTimeout as wait } from 'node:timers/promises';
import { type FolderLock, takeFolderLock } from '../core/folder-lock.ts';

const retryEveryMs = 100;

/** Makes this process the only engine on a folder, or answers undefined when another one keeps it for so long. */
export async function lockFolder(folder: string, waitMs: number): Promise<FolderLock | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = takeFolderLock(`${folder}.lock`);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) return undefined;
    await wait(retryEveryMs);
  }
}
