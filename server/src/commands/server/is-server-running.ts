import { statSync } from 'node:fs';
import { dataFolder } from '../../files/data-folder.ts';
import { takeFolderLock } from '../../files/folder-lock.ts';

/**
 * Returns whether a server runs on the folder. If so, that server carries out what a command writes to the
 * control database; otherwise the command does it itself.
 */
export function isServerRunning(dataDir: string): boolean {
  const { nodeLock } = dataFolder(dataDir);
  // Looking must not leave a lock behind: root would own it, and the owner of the folder couldn't open it.
  if (statSync(nodeLock, { throwIfNoEntry: false }) === undefined) return false;
  const lock = takeFolderLock(nodeLock);
  lock?.release();
  return lock === undefined;
}
