import type { Control } from '../control/open-control.ts';
import type { ReadToken } from '../control/websites/read-tokens.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Revokes a read token at once. */
export async function revokeToken(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  id: number,
): Promise<{ token: ReadToken; domain: string }> {
  return await control.transact(async ({ readTokens, websites }) => {
    const token = await readTokens.revoke(id);
    const website = (await websites.find(String(token.websiteId)))!;
    return {
      result: { token, domain: website.domain },
      entries: [websiteEntry(actor, 'token.revoked', website, { name: token.name })],
    };
  });
}
