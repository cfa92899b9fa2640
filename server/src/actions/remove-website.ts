import { ControlError } from '../control/database/control-error.ts';
import type { Control } from '../control/open-control.ts';
import { parseDomain } from '../control/websites/parse-domain.ts';
import { type Website, websiteNotFound } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/**
 * Begins to delete a website with all of its data, and carries the deletion out with `run`. Once begun, a
 * deletion continues after every fault and restart. Calling this again for the same website only calls `run`.
 */
export async function removeWebsite<T>(
  { control, run }: { control: Pick<Control, 'transact'>; run: (id: number) => Promise<T> },
  actor: Actor,
  { website: { id, domain }, confirm }: { website: Pick<Website, 'id' | 'domain'>; confirm: string },
): Promise<T> {
  if (!isDomainConfirmed(domain, confirm))
    throw new ControlError('invalid', `Expected the domain of the website, ${domain}.`, 'confirm');
  await control.transact(async ({ websites, deletions }) => {
    const before = await websites.find(String(id));
    if (before === undefined) throw websiteNotFound(id);
    if (before.deletingSince !== null) return { result: undefined, entries: [] };
    await deletions.begin(id);
    return { result: undefined, entries: [websiteEntry(actor, 'website.deletion-started', before)] };
  });
  return await run(id);
}

/** Returns whether someone typed the domain of the website to delete, in any spelling of that domain. */
export function isDomainConfirmed(domain: string, typed: string): boolean {
  try {
    return parseDomain(typed) === domain;
  } catch {
    return false;
  }
}
