import { existsSync } from 'node:fs';
import { glob, readdir } from 'node:fs/promises';
import type { dataFolder } from '../../files/data-folder.ts';

/**
 * Returns whether the folder has been used before: it is marked, or it holds records. An empty store does not
 * count, because `doctor` creates one.
 */
export async function isInUse(folder: ReturnType<typeof dataFolder>): Promise<boolean> {
  if (existsSync(folder.installation)) return true;
  for await (const _part of glob('store/*/*/[0-9][0-9][0-9][0-9][0-9][0-9]_*', { cwd: folder.store }))
    return true;
  const names = await readdir(folder.journal).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.some((name) => name === 'ledger' || name.endsWith('.segment'));
}
