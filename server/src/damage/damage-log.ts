import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../files/sync-folder.ts';
import type { Log } from '../log.ts';
import type { Clock } from '../time/clock.ts';
import { storeGonePattern } from './store-gone.ts';

/** Damage to one of our files on disk. It is reported until it is repaired or an operator accepts it. */
export type Damage = {
  /**
   * The kind and the place, such as `journal-frames-7-18234`, in letters, digits and dashes. The same damage
   * found twice has the same id.
   */
  id: string;
  kind: 'journal-frames' | 'journal-segment' | 'store-part' | 'store-gone' | 'damage-note';
  /** What is broken and what that means, in one sentence without a period. */
  says: string;
  /** What to do, in the same form. */
  todo: string;
  foundAt: string;
};

export type DamageLog = Awaited<ReturnType<typeof openDamageLog>>;

const namePattern = /^([a-z0-9-]+)\.json$/;
const forgottenPattern = /^([a-z0-9-]+)\.forgotten$/;
const gapPattern = /^(?:w\d+-)?journal-frames-\d+-\d+-\d+$/;

/** Reads the known damage of a data folder. Commands can do that while a server is writing. */
export async function readDamage(folder: string): Promise<Damage[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const ids = names.map((name) => namePattern.exec(name)?.[1]).filter((id) => id !== undefined);
  const found = await Promise.all(ids.sort().map((id) => readOne(folder, id)));
  return found.filter((damage) => damage !== undefined);
}

/** Removes damage that has been dealt with. False if it wasn't known. */
export async function settleDamage(folder: string, id: string): Promise<boolean> {
  const isKnown = (await readDamage(folder)).some((damage) => damage.id === id);
  if (!isKnown) return false;
  await rm(join(folder, `${id}.json`), { force: true });
  await syncFolder(folder);
  return true;
}

/**
 * Takes damage off the list because an operator has dealt with it or accepts it. False if it isn't on the
 * list. Damage in the journal stays where it is, so it must not be listed again when it is found again.
 * `verify` can name unreadable bytes before they are on the list, and those can be forgotten too, as can a store
 * that is about to be replaced.
 */
export async function forgetDamage(folder: string, id: string): Promise<boolean> {
  if (isForgotten(folder, id)) return false;
  const known = (await readDamage(folder)).find((damage) => damage.id === id);
  if (known === undefined ? !isForeseeable(id) : !known.kind.startsWith('journal'))
    return await settleDamage(folder, id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, `${id}.forgotten`), '', { mode: 0o600 });
  await rm(join(folder, `${id}.json`), { force: true });
  await syncFolder(folder);
  return true;
}

const isForeseeable = (id: string) => gapPattern.test(id) || storeGonePattern.test(id);

/** Damage that was forgotten is listed again if it comes again, because what was damaged then is gone. */
export async function unforgetDamage(folder: string, isGone: (id: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const gone = names.filter((name) => isGone(forgottenPattern.exec(name)?.[1] ?? ''));
  for (const name of gone) await rm(join(folder, name), { force: true });
  if (gone.length > 0) await syncFolder(folder);
}

export function isForgotten(folder: string, id: string): boolean {
  return existsSync(join(folder, `${id}.forgotten`));
}

/**
 * Keeps one file per damage, so that the server and commands can add and settle damage at the same time
 * without a lock.
 */
export async function openDamageLog({ folder, clock, log }: { folder: string; clock: Clock; log: Log }) {
  /**
   * Damage that couldn't be written down, for example on a full disk. It is reported for as long as the
   * process runs.
   */
  const unwritten = new Map<string, Damage>();

  async function write(damage: Damage): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, `${damage.id}.json`);
    const file = await open(`${path}.part`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify(damage));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.part`, path);
    await syncFolder(folder);
  }

  async function list(): Promise<Damage[]> {
    const written = await readDamage(folder).catch((error: unknown) => {
      log.warn({ err: error }, 'cannot read the list of known damage');
      return [];
    });
    const ids = new Set(written.map(({ id }) => id));
    return [...written, ...[...unwritten.values()].filter(({ id }) => !ids.has(id))];
  }

  return {
    list,
    /**
     * Never fails, because the code that finds damage has to go on with its work. Known damage isn't logged
     * again.
     */
    async report(found: Omit<Damage, 'foundAt'>): Promise<void> {
      if (isForgotten(folder, found.id) || (await list()).some(({ id }) => id === found.id)) return;
      const damage = { ...found, foundAt: new Date(clock.now()).toISOString() };
      log.error({ damage: damage.id }, `${damage.says}: ${damage.todo}`);
      unwritten.set(damage.id, damage);
      await write(damage).then(
        () => unwritten.delete(damage.id),
        (error: unknown) =>
          log.warn({ err: error, damage: damage.id }, 'cannot add to the list of known damage'),
      );
    },
    unforget: (id: string): Promise<void> => unforgetDamage(folder, (forgotten) => forgotten === id),
    /** Forgets all damage that passes the given test, because it has been repaired. */
    async settle(isMended: (damage: Damage) => boolean): Promise<void> {
      for (const { id } of (await list()).filter(isMended)) {
        unwritten.delete(id);
        await settleDamage(folder, id);
      }
    },
  };
}

async function readOne(folder: string, id: string): Promise<Damage | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, `${id}.json`), 'utf8'));
  } catch (error) {
    // It was settled after the folder was listed.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    // The file about the damage can be damaged itself. That there was damage must not be forgotten.
    return {
      id,
      kind: 'damage-note',
      says: `the note ${id}.json in the damage folder cannot be read`,
      todo: `search the log for ${id}, then run trackside doctor --forget ${id}`,
      foundAt: '',
    };
  }
}
