import type { Control } from '../control/open-control.ts';
import type { SavedFunnel } from '../control/websites/saved-funnels.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Changes a funnel and returns it. Returns undefined if the website has no such funnel. */
export async function changeFunnel(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, funnel }: { website: Pick<Website, 'id' | 'domain'>; funnel: SavedFunnel },
): Promise<SavedFunnel | undefined> {
  return await control.transact(async ({ savedFunnels }) => {
    const changed = await savedFunnels.change(website.id, funnel);
    if (changed === undefined) return { result: undefined, entries: [] };
    const { name } = changed;
    return { result: changed, entries: [websiteEntry(actor, 'funnel.changed', website, { name })] };
  });
}
