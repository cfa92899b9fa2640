import type { Control } from '../control/open-control.ts';
import type { SavedSegment } from '../control/websites/saved-segments.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { segmentEntry } from './entries.ts';

/** Removes a segment and returns it. Returns undefined if the website has no such segment. */
export async function removeSegment(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  { website, id }: { website: Pick<Website, 'id' | 'domain'>; id: number },
): Promise<SavedSegment | undefined> {
  return await control.transact(async ({ savedSegments }) => {
    const segment = await savedSegments.remove(website.id, id);
    if (segment === undefined) return { result: undefined, entries: [] };
    return { result: segment, entries: [segmentEntry(actor, 'segment.removed', website, segment)] };
  });
}
