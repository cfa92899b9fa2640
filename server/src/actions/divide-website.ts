import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/**
 * Lets the new records of a website go to all shards of the store, by visitor, which `run` does. When called
 * again after a fault, it continues.
 */
export async function divideWebsite(
  { control, run }: { control: Pick<Control, 'transact'>; run: (id: number) => Promise<void> },
  actor: Actor,
  website: Pick<Website, 'id' | 'domain'>,
): Promise<void> {
  await control.transact(async () => ({
    result: undefined,
    entries: [websiteEntry(actor, 'website.division-started', website)],
  }));
  await run(website.id);
}
