import { forgetDamage } from '../damage/damage-log.ts';
import { storeGoneId } from '../damage/store-gone.ts';
import type { dataFolder } from '../files/data-folder.ts';
import { setStoreAside } from '../files/set-store-aside.ts';
import { readLedgers } from './read-ledgers.ts';

/** Sets the store aside because an operator wants a new one. It isn't reported as gone then. */
export async function replaceStore(
  folder: ReturnType<typeof dataFolder>,
  nowMs: number,
): Promise<string | undefined> {
  const aside = await setStoreAside(folder.store, nowMs);
  if (aside === undefined) return undefined;
  for (const { storeUuid } of await readLedgers(folder.root))
    if (storeUuid !== undefined) await forgetDamage(folder.damage, storeGoneId(storeUuid));
  return aside;
}
