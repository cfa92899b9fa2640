import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { syncFolder } from './sync-folder.ts';

/**
 * Reads the file in the data folder that says which control database the folder belongs to. Undefined if
 * there is no file or if it is damaged: one flipped bit must not make a folder look like someone else's.
 */
export async function readInstallation(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const [id = '', checksum] = text.trim().split(' ');
  return id !== '' && checksum === checksumOf(id) ? id : undefined;
}

/** The file appears complete and on disk, or not at all. */
export async function writeInstallation(path: string, id: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(`${path}.part`, 'w', 0o600);
  try {
    await file.writeFile(`${id} ${checksumOf(id)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.part`, path);
  await syncFolder(dirname(path));
}

function checksumOf(id: string): string {
  return crc32(id).toString(16).padStart(8, '0');
}
