import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Returns the API key of a website, after noting in the audit log who gets it. */
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
