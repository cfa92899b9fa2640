import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Disk, localDisk } from './disk.ts';
import { makeFolder } from './make-folder.ts';
import { syncFolder } from './sync-folder.ts';
import { writeFully } from './write-fully.ts';

/**
 * Reads a word that the data folder knows about its control database. Undefined if there is no file or if it is
 * damaged: one flipped bit must not make a folder look like someone else's.
 */
export async function readMark(path: string, disk: Disk = localDisk): Promise<string | undefined> {
  const text = await disk.readText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [word = '', checksum] = text.trim().split(' ');
  return word !== '' && checksum === checksumOf(word) ? word : undefined;
}

/** The file appears complete and on disk, or not at all. */
export async function writeMark(path: string, word: string, disk: Disk = localDisk): Promise<void> {
  await makeFolder(dirname(path), disk);
  const file = await disk.open(`${path}.part`, 'w', 0o600);
  try {
    await writeFully(file, Buffer.from(`${word} ${checksumOf(word)}\n`), 0);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(`${path}.part`, path);
  await syncFolder(dirname(path), disk);
}

function checksumOf(word: string): string {
  return crc32(word).toString(16).padStart(8, '0');
}
