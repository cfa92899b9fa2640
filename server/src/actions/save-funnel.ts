import type { Control } from '../control/open-control.ts';
import type { SavedFunnel } from '../control/websites/saved-funnels.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Saves a funnel, so that nobody has to put it together again. */
export async function saveFunnel(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, funnel }: { website: Pick<Website, 'id' | 'domain'>; funnel: Omit<SavedFunnel, 'id'> },
): Promise<SavedFunnel> {
  return await control.transact(async ({ savedFunnels }) => {
    const saved = await savedFunnels.add(website.id, funnel);
    return { result: saved, entries: [websiteEntry(actor, 'funnel.added', website, { name: saved.name })] };
  });
}
