import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { NewWebsite } from '../control/websites/websites.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Adds a website with an API key. */
export async function addWebsite(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  input: NewWebsite,
): Promise<{ website: Website; apiKey: string }> {
  return await control.transact(async ({ websites }) => {
    const result = await websites.add(input);
    return { result, entries: [websiteEntry(actor, 'website.added', result.website)] };
  });
}
