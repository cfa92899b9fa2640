import type { Control } from '../control/open-control.ts';
import type { Note } from '../control/websites/notes.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { websiteEntry } from './entries.ts';

/** Changes the day and the text of a note. Returns undefined if the website has no such note. */
export async function changeNote(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, ...note }: { website: Pick<Website, 'id' | 'domain'> } & Pick<Note, 'id' | 'day' | 'text'>,
): Promise<Note | undefined> {
  return await control.transact(async ({ notes }) => {
    const changed = await notes.change(website.id, note);
    if (changed === undefined) return { result: undefined, entries: [] };
    const { day, text } = changed;
    return { result: changed, entries: [websiteEntry(actor, 'note.changed', website, { day, text })] };
  });
}
