import { dataFolder } from '../../files/data-folder.ts';
import { takeFolderLock } from '../../files/folder-lock.ts';

/**
 * Returns whether a server runs on the folder. If so, that server carries out what a command writes to the
 * control database; otherwise the command does it itself.
 */
export function isServerRunning(dataDir: string): boolean {
  const lock = takeFolderLock(dataFolder(dataDir).nodeLock);
  lock?.release();
  return lock === undefined;
}
