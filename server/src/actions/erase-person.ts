import type { Control } from '../control/open-control.ts';
import type { Erasure } from '../control/privacy/erasures.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

type Parts = {
  control: Pick<Control, 'transact'>;
  /** Carries out what is written down, and writes an entry with the number of records when they are gone. */
  run: (erasure: Erasure) => Promise<{ records: number }>;
};

/**
 * Erases all records of a person that were received until now. Once written down, it will be done whatever
 * happens.
 */
export async function erasePerson(
  { control, run }: Parts,
  actor: Actor,
  { website, visitorId }: { website: Pick<Website, 'id' | 'domain'>; visitorId: string },
): Promise<{ records: number }> {
  const erasure = await control.transact(async ({ erasures }) => ({
    result: await erasures.add(website.id, visitorId),
    entries: [websiteEntry(actor, 'person.erasure-started', website)],
  }));
  return await run(erasure);
}
