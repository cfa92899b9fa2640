import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Store } from '../store/open-store.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/**
 * Lets the new records of a website go to all shards of the store, by visitor. Returns false if they already
 * do. When called again after a fault, it continues.
 */
export async function divideWebsite(
  { control, store }: { control: Pick<Control, 'transact'>; store: Pick<Store, 'divideWebsite'> },
  actor: Actor,
  website: Pick<Website, 'id' | 'domain'>,
): Promise<boolean> {
  const isNew = await store.divideWebsite(website.id);
  if (!isNew) return false;
  await control.transact(async () => ({
    result: undefined,
    entries: [websiteEntry(actor, 'website.divided', website)],
  }));
  return true;
}
