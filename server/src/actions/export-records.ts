import type { Readable } from 'node:stream';
import type { Control } from '../control/open-control.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Whose records leave: those of one person, or those of the website in a span of days. */
export type ExportSubject = { person: true } | { from?: string | undefined; to?: string | undefined };

/**
 * Exports records. The entry is in the audit log before the first record is sent, and there is no entry if
 * the store is unavailable.
 */
export async function exportRecords(
  { control, open }: { control: Pick<Control, 'transact'>; open: () => Promise<Readable> },
  actor: Actor,
  website: Pick<Website, 'id' | 'domain'>,
  subject: ExportSubject,
): Promise<Readable> {
  const entry =
    'person' in subject
      ? websiteEntry(actor, 'person.exported', website)
      : websiteEntry(actor, 'website.exported', website, toDetail(subject));
  const records = await open();
  try {
    return await control.transact(async () => ({ result: records, entries: [entry] }));
  } catch (error) {
    records.destroy();
    throw error;
  }
}

function toDetail({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
