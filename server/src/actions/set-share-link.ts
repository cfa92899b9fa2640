import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Switches the public link of a website on or off, or gives it a new one. */
export async function setShareLink(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, to }: { website: Pick<Website, 'id' | 'domain'>; to: 'on' | 'off' | 'renewed' },
): Promise<void> {
  await control.transact(async ({ websites }) => ({
    result: await websites.setShare(website.id, to),
    entries: [websiteEntry(actor, `website.share-${to}`, website)],
  }));
}
