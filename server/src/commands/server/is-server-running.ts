import { dataFolder } from '../../files/data-folder.ts';
import { takeFolderLock } from '../../files/folder-lock.ts';

/**
 * Whether a server runs on the folder now. It does what control asks for; without one, the command does it
 * itself.
 */
export function isServerRunning(dataDir: string): boolean {
  const lock = takeFolderLock(dataFolder(dataDir).nodeLock);
  lock?.release();
  return lock === undefined;
}
