import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

const hourMs = 3_600_000;

/** Gives a website a new API key. The old key stops working at once, or after `keepOldHours`. */
export async function regenerateKey(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, keepOldHours }: { website: Pick<Website, 'id' | 'domain'>; keepOldHours: number },
): Promise<{ apiKey: string }> {
  return await control.transact(async ({ websites }) => ({
    result: await websites.regenerateKey(website.id, { keepOldMs: keepOldHours * hourMs }),
    entries: [websiteEntry(actor, 'website.key-regenerated', website, { keepOldHours })],
  }));
}
