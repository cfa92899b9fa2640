import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { takeFolderLock } from './folder-lock.ts';
import { nameHolder, readHolder } from './store-holder.ts';
import { syncFolder } from './sync-folder.ts';

/**
 * Renames the store's folder, so that the engine creates an empty one at its next start. Returns the new path
 * of the old folder. Throws while any engine has the store open, because its writes would go on in the
 * renamed folder.
 */
export async function setStoreAside(storeFolder: string, nowMs: number): Promise<string | undefined> {
  if (!existsSync(storeFolder)) return undefined;
  const lock = takeFolderLock(`${storeFolder}.lock`);
  if (lock === undefined) {
    const user = nameHolder(readHolder(storeFolder));
    throw new OperatorError(
      `${storeFolder} is in use by ${user}. When it has finished, run the command again.`,
    );
  }
  try {
    const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
    let aside = `${storeFolder}.aside-${stamp}`;
    for (let count = 2; existsSync(aside); count += 1) aside = `${storeFolder}.aside-${stamp}-${count}`;
    await rename(storeFolder, aside);
    await syncFolder(dirname(storeFolder));
    return aside;
  } finally {
    lock.release();
  }
}
