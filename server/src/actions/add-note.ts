import type { Control } from '../control/open-control.ts';
import type { Note } from '../control/websites/notes.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Adds a note to a day of a website. */
export async function addNote(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, ...note }: { website: Pick<Website, 'id' | 'domain'> } & Pick<Note, 'day' | 'text' | 'author'>,
): Promise<Note> {
  return await control.transact(async ({ notes }) => {
    const added = await notes.add(website.id, note);
    const { day, text } = added;
    return { result: added, entries: [websiteEntry(actor, 'note.added', website, { day, text })] };
  });
}
