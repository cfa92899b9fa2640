import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Shows the API key of a website. Whoever gets it is in the audit log by then. */
export async function revealKey(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  website: Pick<Website, 'id' | 'domain'>,
): Promise<string> {
  return await control.transact(async ({ websites }) => ({
    result: await websites.apiKey(website.id),
    entries: [websiteEntry(actor, 'website.key-revealed', website)],
  }));
}
