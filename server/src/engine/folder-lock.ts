import { setTimeout as wait } from 'node:timers/promises';
import { type FolderLock, takeFolderLock } from '../files/folder-lock.ts';
import { describeHolder, endOrphan, readHolder } from '../files/store-holder.ts';

const retryEveryMs = 100;
/** An engine that is being replaced needs a moment to exit, which isn't worth a message. */
const tellAfterMs = 1_000;

/**
 * Makes this process the only engine on a folder. While another engine has the folder, this waits and says
 * so. An engine that its node has left behind is ended.
 */
export async function lockFolder(
  folder: string,
  { onWaiting, onOrphan }: { onWaiting: (says: string) => void; onOrphan: (pid: number) => void },
): Promise<FolderLock> {
  const startedMs = performance.now();
  let lock: FolderLock | undefined;
  let told: string | undefined;
  let ended: number | undefined;
  for (;;) {
    lock ??= takeFolderLock(`${folder}.lock`);
    const holder = readHolder(folder);
    // If the lock file was removed, the lock can be taken while another engine is still running.
    if (lock !== undefined && holder === undefined) return lock;
    const orphan = endOrphan(folder);
    if (orphan !== undefined && orphan !== ended) onOrphan(orphan);
    ended = orphan;
    const says = describeHolder(holder);
    if (says !== told && performance.now() - startedMs > tellAfterMs) {
      told = says;
      onWaiting(says);
    }
    await wait(retryEveryMs);
  }
}
