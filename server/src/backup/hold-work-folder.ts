import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../files/data-folder.ts';
import { type FolderLock, takeFolderLock } from '../files/folder-lock.ts';
import type { BackupPlace } from './backup-place.ts';
import { hashOf } from './piece.ts';

/** A folder for the work of one backup. */
export type WorkFolder = FolderLock & { path: string };

/**
 * Holds the folder in the data folder that is for backups to this place. Undefined if one is being made. A bucket
 * has no locks, so only this keeps two backups of one server apart there.
 */
export function holdWorkFolder(dataDir: string, { name }: Pick<BackupPlace, 'name'>): WorkFolder | undefined {
  const path = join(dataFolder(dataDir).backupWork, hashOf(name).slice(0, 16));
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const lock = takeFolderLock(join(path, 'lock'), { waitMs: 1_000 });
  return lock && { path, release: () => lock.release() };
}
