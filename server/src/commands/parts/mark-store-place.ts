import { existsSync, readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { secrets } from '../../config/secrets.ts';
import type { dataFolder } from '../../files/data-folder.ts';
import { listWorkerFolders } from '../../files/worker-folders.ts';
import type { Log } from '../../log.ts';
import type { OutsideStore } from '../../store/store-address.ts';
import { CommandError } from '../command.ts';

type Folder = ReturnType<typeof dataFolder>;

/**
 * Refuses to use a store in the data folder if the records are in one outside. Otherwise, a forgotten variable
 * would begin an empty store, and an erasure would find nothing to erase.
 */
export function checkStorePlace(folder: Folder, outside: OutsideStore | undefined): void {
  if (outside !== undefined || !existsSync(folder.outsideStore)) return;
  const hosts = readFileSync(folder.outsideStore, 'utf8').trim();
  throw new CommandError(
    `The records of this data folder are in the store at ${hosts}. Set ${secrets.clickhouseUrl.variable} ` +
      `to use it, or delete ${folder.outsideStore} to begin a new store in the data folder.`,
  );
}

/** Notes where the records are, without user and password. */
export async function markStorePlace(
  folder: Folder,
  outside: OutsideStore | undefined,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  checkStorePlace(folder, outside);
  if (outside === undefined) return;
  await refuseOtherJournals(folder);
  if (!existsSync(folder.outsideStore) && existsSync(folder.store)) {
    log.warn(
      { store: folder.store },
      'records are now loaded into the store outside: those that only the store in the data folder has stay there',
    );
  }
  await setStorePlace(folder, outside);
}

/** Notes where the records are from now on: outside, or in the data folder. */
export async function setStorePlace(folder: Folder, outside: OutsideStore | undefined): Promise<void> {
  if (outside === undefined) return await rm(folder.outsideStore, { force: true });
  const hosts = `${outside.hosts.urls.join(', ')}\n`;
  // On a full disk, a file that is right already must not be emptied.
  if (existsSync(folder.outsideStore) && readFileSync(folder.outsideStore, 'utf8') === hosts) return;
  await writeFile(folder.outsideStore, hosts, { mode: 0o600 });
}

/** Only the first process of a server can load into a store outside. */
export async function refuseOtherJournals({ root, workers }: Folder): Promise<void> {
  if ((await listWorkerFolders(root)).length < 2) return;
  throw new CommandError(
    `${workers}: other processes have taken records, and can't load them into a store outside. ` +
      `Start the server once without ${secrets.clickhouseUrl.variable}, until \`trackside verify\` finds no ` +
      'difference. Then stop it and delete this folder.',
  );
}
