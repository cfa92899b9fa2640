import type { Control } from '../control/open-control.ts';
import type { Erasure } from '../control/privacy/erasures.ts';
import { type Website, websiteNotFound } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

type Parts = {
  control: Pick<Control, 'transact'>;
  /** Carries out the erasure, and adds an entry with the number of records when they are gone. */
  run: (erasure: Erasure) => Promise<{ records: number }>;
};

/**
 * Erases all records of a person that were received until now. Once the erasure is written down, it is
 * carried out even after a fault or a restart.
 */
export async function erasePerson(
  { control, run }: Parts,
  actor: Actor,
  { website, visitorId }: { website: Pick<Website, 'id' | 'domain'>; visitorId: string },
): Promise<{ records: number }> {
  const erasure = await control.transact(async ({ websites, erasures }) => {
    // It may have been deleted while somebody thought about the erasure, which nobody would carry out then.
    const now = await websites.find(String(website.id));
    if (now === undefined || now.deletingSince !== null) throw websiteNotFound(website.id);
    return {
      result: await erasures.add(website.id, visitorId),
      entries: [websiteEntry(actor, 'person.erasure-started', website)],
    };
  });
  return await run(erasure);
}
