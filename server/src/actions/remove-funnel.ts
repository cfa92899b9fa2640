import type { Control } from '../control/open-control.ts';
import type { SavedFunnel } from '../control/websites/saved-funnels.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Removes a funnel and returns it. Returns undefined if the website has no such funnel. */
export async function removeFunnel(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, id }: { website: Pick<Website, 'id' | 'domain'>; id: number },
): Promise<SavedFunnel | undefined> {
  return await control.transact(async ({ savedFunnels }) => {
    const funnel = await savedFunnels.remove(website.id, id);
    if (funnel === undefined) return { result: undefined, entries: [] };
    const { name } = funnel;
    return { result: funnel, entries: [websiteEntry(actor, 'funnel.removed', website, { name })] };
  });
}
