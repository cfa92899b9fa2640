import { open } from 'node:fs/promises';

/**
 * Makes the folder's own entries durable: a new file is only there after a power cut when its folder was
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
