import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

export type KeptDefinitions = ReturnType<typeof createKeptDefinitions>;

/** Inside the store, so that the copies belong to the same tables wherever the folder goes. */
const keptFolder = 'kept-definitions';

/**
 * Keeps a copy of the definition of each table. If the disk is full while chDB changes a table, it reports
 * success, goes on with the change in memory, and leaves an empty file as the table's definition. The next
 * start could not open the store.
 */
export function createKeptDefinitions(folder: string) {
  const kept = join(folder, keptFolder);
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const readKept = (path: string): string | undefined => {
    try {
      return readFileSync(join(kept, path), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  /** Any other damage is reported, and left to the operator. */
  const findBroken = () => listDefinitions(folder).filter((path) => read(path) === '');

  return {
    /**
     * Puts copies back where a definition is lost, and returns their names. Called while chDB doesn't run. If
     * there is no copy, the table is new: its definition is removed, and it will be created again. A store of
     * an earlier version has no copies at all, and nobody knows what its tables hold, so it is left alone.
     */
    restore(): string[] {
      const broken = findBroken();
      if (!existsSync(kept) && broken.length > 0) return [];
      mkdirSync(kept, { recursive: true });
      for (const path of broken) {
        const copy = readKept(path);
        if (copy === undefined) rmSync(join(folder, path));
        else writeDurably(join(folder, path), copy);
      }
      return broken;
    },
    /** Returns the definitions that chDB has just failed to write. */
    findBroken,
    /** Copies all definitions that have changed. Throws if there is no space for that. */
    keep(): void {
      const paths = listDefinitions(folder);
      for (const path of paths) {
        const text = read(path);
        if (text !== '' && text !== readKept(path)) writeDurably(join(kept, path), text);
      }
      // Another table may get the name of one that was dropped.
      for (const path of listDefinitions(kept)) if (!paths.includes(path)) rmSync(join(kept, path));
    },
  };
}

/** Returns the definitions of databases and tables, as paths within the store. */
function listDefinitions(folder: string): string[] {
  const ofDatabases = list(join(folder, 'metadata')).map((name) => join('metadata', name));
  const databases = list(join(folder, 'store')).flatMap((group) =>
    list(join(folder, 'store', group)).map((id) => join('store', group, id)),
  );
  const ofTables = databases.flatMap((path) => list(join(folder, path)).map((name) => join(path, name)));
  return [...ofDatabases, ...ofTables].filter((path) => path.endsWith('.sql'));
}

/** Returns the names in a folder, and none if it is something else or not there. */
function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Replaces a file, so that it has its old or its new text whatever happens. */
function writeDurably(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.draft`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  const parent = openSync(dirname(path), 'r');
  try {
    fsyncSync(parent);
  } finally {
    closeSync(parent);
  }
}
