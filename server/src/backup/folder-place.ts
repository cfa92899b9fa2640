import { mkdirSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isNoSpace } from '../files/disk-space.ts';
import { takeFolderLock } from '../files/folder-lock.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { full, SystemFaultError } from '../files/system-fault.ts';
import { writeFully } from '../files/write-fully.ts';
import type { BackupPlace, PlacedFile } from './backup-place.ts';

const partEnding = '.part';
const lockName = 'lock';
/** What an empty folder may have, such as one that is a disk. */
const ignored = new Set([lockName, 'lost+found']);

/** Keeps backups in a folder, which only its owner can read. */
export function openFolderPlace(folder: string): BackupPlace {
  const pathOf = (path: string) => join(folder, ...path.split('/'));

  async function listAll(inFolder: string): Promise<PlacedFile[]> {
    const names = (await readdir(pathOf(inFolder), { recursive: true }).catch(orUndefined)) ?? [];
    const found: PlacedFile[] = [];
    for (const name of names.toSorted()) {
      const there = await stat(join(pathOf(inFolder), name)).catch(orUndefined);
      const path = `${inFolder}/${name.replaceAll('\\', '/')}`;
      if (there?.isFile() === true) found.push({ path, bytes: there.size });
    }
    return found;
  }

  return {
    name: folder,
    async write(path, bytes) {
      try {
        await writeWhole(pathOf(path), bytes);
      } catch (error) {
        // Otherwise, it would sound as if the disk of the data folder was full.
        throw isNoSpace(error) ? new SystemFaultError(full(folder), error) : error;
      }
    },
    read: (path) => readFile(pathOf(path)).catch(orUndefined),
    async list(inFolder) {
      return (await listAll(inFolder)).filter(({ path }) => !path.endsWith(partEnding));
    },
    async listUnfinished(inFolder) {
      const found = (await listAll(inFolder)).filter(({ path }) => path.endsWith(partEnding));
      return found.map(({ path }) => ({ path, of: path.slice(0, -partEnding.length) }));
    },
    async remove(path) {
      await rm(pathOf(path), { force: true });
    },
    async isEmpty() {
      const names = (await readdir(folder).catch(orUndefined)) ?? [];
      return names.every((name) => ignored.has(name) || name.endsWith(partEnding));
    },
    lock() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return takeFolderLock(join(folder, lockName), { waitMs: 1_000 });
    },
  };
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  const part = `${path}${partEnding}`;
  const file = await open(part, 'w', 0o600);
  try {
    await writeFully(file, bytes, 0);
    await file.sync();
  } catch (error) {
    await file.close();
    await rm(part, { force: true });
    throw error;
  }
  await file.close();
  await rename(part, path);
  await syncFolder(dirname(path));
}

/** A folder that was made is in its parent after a power cut, too. */
async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made === undefined) return;
  for (let at = folder; at.length >= made.length; at = dirname(at)) await syncFolder(dirname(at));
}

function orUndefined(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
