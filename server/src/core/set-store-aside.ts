import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './sync-folder.ts';

/** Renames the store's folder, so that the next start of the engine makes an empty one; returns where the old one is. */
export async function setStoreAside(storeFolder: string, nowMs: number): Promise<string | undefined> {
  if (!existsSync(storeFolder)) return undefined;
  const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
  let aside = `${storeFolder}.aside-${stamp}`;
  for (let count = 2; existsSync(aside); count += 1) aside = `${storeFolder}.aside-${stamp}-${count}`;
  await rename(storeFolder, aside);
  await syncFolder(dirname(storeFolder));
  return aside;
}
