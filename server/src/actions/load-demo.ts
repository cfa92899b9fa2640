import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Loads the demo data of a website. Returns false, and leaves no entry, if that isn't possible. */
export async function loadDemo(
  parts: { control: Pick<Control, 'transact'>; isPossible: () => Promise<boolean>; begin: () => void },
  actor: Actor,
  website: Pick<Website, 'id' | 'domain'>,
): Promise<boolean> {
  if (!(await parts.isPossible())) return false;
  const entry = websiteEntry(actor, 'website.demo-loaded', website);
  await parts.control.transact(async () => ({ result: undefined, entries: [entry] }));
  parts.begin();
  return true;
}
