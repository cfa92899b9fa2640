import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Disk, localDisk } from './disk.ts';
import { makeFolder } from './make-folder.ts';
import { syncFolder } from './sync-folder.ts';
import { writeFully } from './write-fully.ts';

/**
 * Reads the file in the data folder that says which control database the folder belongs to. Undefined if
 * there is no file or if it is damaged: one flipped bit must not make a folder look like someone else's.
 */
export async function readInstallation(path: string, disk: Disk = localDisk): Promise<string | undefined> {
  const text = await disk.readText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [id = '', checksum] = text.trim().split(' ');
  return id !== '' && checksum === checksumOf(id) ? id : undefined;
}

/** The file appears complete and on disk, or not at all. */
export async function writeInstallation(path: string, id: string, disk: Disk = localDisk): Promise<void> {
  await makeFolder(dirname(path), disk);
  const file = await disk.open(`${path}.part`, 'w', 0o600);
  try {
    await writeFully(file, Buffer.from(`${id} ${checksumOf(id)}\n`), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(`${path}.part`, path);
  await syncFolder(dirname(path), disk);
}

function checksumOf(id: string): string {
  return crc32(id).toString(16).padStart(8, '0');
}
