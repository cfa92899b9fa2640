import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type FolderLock, takeFolderLock } from './folder-lock.ts';

/**
 * A command that checks whether a server is running holds a lock for a moment, and so does a server that is
 * refused.
 */
const defaultProbeMs = 1000;
const looksUntilLost = 5;

type Held = { file: string; lock: FolderLock; inode: number | undefined; failedLooks: number };

/**
 * Holds several lock files, or returns undefined if another process has one of them. A lock on a removed file
 * keeps nobody out, but the other files still do, and the removed one is created and locked again within a
 * second. `onLost` is called if another process has taken it instead and keeps it.
 */
export function holdFolder(
  files: readonly string[],
  onLost: (file: string) => void,
  { lookEveryMs = 1000, probeMs = defaultProbeMs }: { lookEveryMs?: number; probeMs?: number } = {},
): FolderLock | undefined {
  const held: Held[] = [];
  const release = () => {
    for (const { lock } of held) lock.release();
  };
  for (const file of files) {
    const lock = takeFolderLock(file, { waitMs: probeMs });
    if (lock === undefined) {
      release();
      return undefined;
    }
    held.push({ file, lock, inode: inodeOf(file), failedLooks: 0 });
  }
  let isReleased = false;
  const timer = setInterval(async () => {
    for (const one of held) {
      // Don't use the main thread: a disk that hangs would block it.
      const found = await stat(one.file).catch(() => undefined);
      if (isReleased || found?.ino === one.inode) continue;
      const lock = takeAgain(one.file);
      if (lock === 'unreachable') continue;
      if (lock === undefined) {
        one.failedLooks += 1;
        if (one.failedLooks < looksUntilLost) continue;
        clearInterval(timer);
        onLost(one.file);
        return;
      }
      one.lock.release();
      one.lock = lock;
      one.failedLooks = 0;
      one.inode = inodeOf(one.file);
    }
  }, lookEveryMs);
  timer.unref();
  return {
    release() {
      isReleased = true;
      clearInterval(timer);
      release();
    },
  };
}

/** Without its folder, or on a full disk, there is nothing to lock. Other parts notice that. */
function takeAgain(file: string): FolderLock | undefined | 'unreachable' {
  try {
    return takeFolderLock(file);
  } catch {
    return 'unreachable';
  }
}

function inodeOf(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.ino;
}
