import type { Control } from '../control/open-control.ts';
import type { Note } from '../control/websites/notes.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Removes a note and returns it. Returns undefined if the website has no such note. */
export async function removeNote(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, id }: { website: Pick<Website, 'id' | 'domain'>; id: number },
): Promise<Note | undefined> {
  return await control.transact(async ({ notes }) => {
    const note = await notes.remove(website.id, id);
    if (note === undefined) return { result: undefined, entries: [] };
    const { day, text } = note;
    return { result: note, entries: [websiteEntry(actor, 'note.removed', website, { day, text })] };
  });
}
