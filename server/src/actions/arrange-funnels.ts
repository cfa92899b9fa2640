import type { Control } from '../control/open-control.ts';
import type { SavedFunnel } from '../control/websites/saved-funnels.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Puts the funnels of a website into another order. `ids` has each of them once. */
export async function arrangeFunnels(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, ids }: { website: Pick<Website, 'id' | 'domain'>; ids: readonly number[] },
): Promise<SavedFunnel[]> {
  return await control.transact(async ({ savedFunnels }) => {
    const funnels = await savedFunnels.arrange(website.id, ids);
    return { result: funnels, entries: [websiteEntry(actor, 'funnel.arranged', website)] };
  });
}
