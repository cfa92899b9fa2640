import type { Control } from '../control/open-control.ts';
import type { SavedSegment, SegmentChanges } from '../control/websites/saved-segments.ts';
import type { Website } from '../control/websites/website-row.ts';
import type { Actor } from './actor.ts';
import { segmentEntry } from './entries.ts';

/** Changes the name or the filters of a segment. Returns undefined if the website has no such segment. */
export async function changeSegment(
  control: Pick<Control, 'transact'>,
  actor: Actor,
  about: { website: Pick<Website, 'id' | 'domain'>; id: number; changes: SegmentChanges },
): Promise<SavedSegment | undefined> {
  const { website, id, changes } = about;
  return await control.transact(async ({ savedSegments }) => {
    const segment = await savedSegments.change(website.id, id, changes);
    if (segment === undefined) return { result: undefined, entries: [] };
    return { result: segment, entries: [segmentEntry(actor, 'segment.changed', website, segment)] };
  });
}
