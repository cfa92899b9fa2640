import type { Control } from '../control/open-control.ts';
import type { ReadToken } from '../control/websites/read-tokens.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Creates a read token for a website. The token is shown only this once. */
export async function createToken(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, name }: { website: Pick<Website, 'id' | 'domain'>; name: string },
): Promise<ReadToken & { token: string }> {
  return await control.transact(async ({ readTokens }) => {
    const added = await readTokens.add(website.id, name);
    return { result: added, entries: [websiteEntry(actor, 'token.added', website, { name: added.name })] };
  });
}
