import { type Disk, localDisk } from './disk.ts';

/**
 * Makes the entries of a folder durable. After a power cut, a new file is there only if its folder was
 * synced.
 */
export async function syncFolder(folder: string, disk: Disk = localDisk): Promise<void> {
  const handle = await disk.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
