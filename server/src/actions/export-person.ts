import type { Readable } from 'node:stream';
import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/**
 * Opens the records of a person. The entry is in the audit log before the first record leaves. There is no
 * entry if the store is away.
 */
export async function exportPerson(
  { control, open }: { control: Pick<Control, 'transact'>; open: () => Promise<Readable> },
  actor: Actor,
  website: Pick<Website, 'id' | 'domain'>,
): Promise<Readable> {
  const records = await open();
  try {
    return await control.transact(async () => ({
      result: records,
      entries: [websiteEntry(actor, 'person.exported', website)],
    }));
  } catch (error) {
    records.destroy();
    throw error;
  }
}
