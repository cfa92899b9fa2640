import { open } from 'node:fs/promises';

/**
 * Makes the entries of a folder durable. After a power cut, a new file is there only if its folder was
 * synced.
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
