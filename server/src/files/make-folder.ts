import { dirname } from 'node:path';
import { type Disk, localDisk } from './disk.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Why the folder above may not be synced: it can be closed to this user, or be on a file system that doesn't
 * sync folders. What is in our own folder is durable regardless.
 */
const isNotOurs: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EROFS', 'EINVAL', 'ENOTSUP']);

/**
 * Creates a folder, and those above it, in such a way that a power cut doesn't take it away with everything
 * that is synced in it. The entry of a folder that is there may not be on disk either, if the process that
 * created it was killed.
 */
export async function makeFolder(path: string, disk: Disk = localDisk): Promise<void> {
  const first = await disk.mkdir(path);
  for (let entry = path; ; entry = dirname(entry)) {
    await syncFolder(dirname(entry), disk).catch((error: NodeJS.ErrnoException) => {
      if (!isNotOurs.has(error.code ?? '')) throw error;
    });
    if (first === undefined || entry === first || entry === dirname(entry)) return;
  }
}
