import type { Control } from '../control/open-control.ts';
import { readDamage } from '../damage/damage-log.ts';
import { dataFolder } from '../files/data-folder.ts';
import { readLedgers } from '../loader/read-ledgers.ts';
import type { Store } from '../store/open-store.ts';

/**
 * Names what is damaged or missing, so that an older backup may have more than a new one. While the server is
 * stopped, nobody writes down that its store is gone, so that is looked at as well.
 */
export async function findLosses(options: {
  dataDir: string;
  store: Pick<Store, 'uuid'>;
  control: { websites: Pick<Control['websites'], 'lostIds'> };
}): Promise<string[]> {
  const { dataDir, store, control } = options;
  const uuid = await store.uuid();
  const ledgers = await readLedgers(dataDir);
  const isOther = ledgers.some(({ storeUuid }) => storeUuid !== undefined && storeUuid !== uuid);
  const damage = await readDamage(dataFolder(dataDir).damage);
  const lostIds = await control.websites.lostIds();
  return [
    ...damage.map(({ id }) => id),
    ...(isOther ? ['the store was replaced'] : []),
    ...lostIds.map((id) => `website ${id} was lost`),
  ];
}
