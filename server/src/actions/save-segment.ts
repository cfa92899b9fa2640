import type { Control } from '../control/open-control.ts';
import type { SavedSegment } from '../control/websites/saved-segments.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { segmentEntry } from './entries.ts';

/** Saves a set of filters under a name, for one user or for everybody at the website. */
export async function saveSegment(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, segment }: { website: Pick<Website, 'id' | 'domain'>; segment: Omit<SavedSegment, 'id'> },
): Promise<SavedSegment> {
  return await control.transact(async ({ savedSegments }) => {
    const saved = await savedSegments.add(website.id, segment);
    return { result: saved, entries: [segmentEntry(actor, 'segment.added', website, saved)] };
  });
}
