import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { dataFolder } from './data-folder.ts';
import { listWorkerFolders } from './worker-folders.ts';

/** Something in the data folder that other users of the machine can read or change. */
export type Exposed = {
  path: string;
  kind: 'data folder' | 'secret key' | 'control database' | 'other';
  mode: number;
  /** The mode that it should have. */
  wanted: number;
  /** Whether other users can get at data that nobody else may have. A server must not start like this. */
  isGrave: boolean;
  /** Whether this user can safely change the mode: the file is theirs, and nothing else uses it. */
  canMend: boolean;
};

/** The group may read the key, because container platforms hand out secrets like this. */
const openKey = 0o027;
const open = 0o077;
const openToAll = 0o007;
const sticky = 0o1000;

export function isKeyOpen(mode: number): boolean {
  return (mode & openKey) !== 0;
}

export function showMode(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}

/**
 * Finds what is open to others. It doesn't look inside the store's folder, which has many files and keeps
 * them private by its own mode. A symbolic link is judged by its target, and never changed.
 */
export async function findExposed(options: {
  folder: ReturnType<typeof dataFolder>;
  secretKeyFile: string;
  /** The id of the user who runs this. */
  uid: number;
}): Promise<Exposed[]> {
  const { folder, secretKeyFile, uid } = options;
  const found: Exposed[] = [];

  async function look(path: string, kind: Exposed['kind'], isOurs: boolean): Promise<void> {
    const entry = await lstat(path).catch(() => undefined);
    const facts = entry?.isSymbolicLink() ? await stat(path).catch(() => undefined) : entry;
    if (entry === undefined || facts === undefined) return;
    const isOpen = kind === 'secret key' ? isKeyOpen(facts.mode) : (facts.mode & open) !== 0;
    if (!isOpen) return;
    found.push({
      path,
      kind,
      mode: facts.mode & 0o777,
      wanted: facts.isDirectory() ? 0o700 : 0o600,
      isGrave: kind === 'secret key' || (kind === 'control database' && (facts.mode & openToAll) !== 0),
      canMend:
        isOurs && !entry.isSymbolicLink() && (facts.mode & sticky) === 0 && (uid === 0 || facts.uid === uid),
    });
  }

  const names = await readdir(folder.root).catch((): string[] => []);
  const known = [...Object.values(folder), secretKeyFile]
    .filter((path) => dirname(path) === folder.root)
    .map((path) => basename(path));
  // The store has a lock next to it, a lock has SQLite's journal next to it, and so on.
  const isOwn = (name: string) =>
    name.startsWith('.doctor-') ||
    name === 'lost+found' ||
    known.some((own) => name === own || name.startsWith(`${own}.`) || name.startsWith(`${own}-`));
  // A folder that contains anything else may be one that others need, such as /tmp. We must not change its
  // mode.
  await look(folder.root, 'data folder', names.every(isOwn));
  await look(secretKeyFile, 'secret key', dirname(secretKeyFile) === folder.root);
  for (const name of names.filter(isOwn)) {
    const path = join(folder.root, name);
    if (path !== secretKeyFile && name !== 'lost+found') await look(path, 'other', true);
  }
  const ofWorkers = await listWorkerFolders(folder.root).catch(() => []);
  const workers = ofWorkers.flatMap(({ root, journal }) => [root, journal]);
  for (const inside of new Set([folder.control, folder.damage, folder.journal, folder.workers, ...workers])) {
    for (const name of await readdir(inside).catch((): string[] => [])) {
      const path = join(inside, name);
      if (path !== secretKeyFile)
        await look(path, inside === folder.control ? 'control database' : 'other', true);
    }
  }
  return found;
}
