import { readErasureNotes } from '../../backup/erasure-notes.ts';
import { openPlace } from '../../backup/open-place.ts';
import { assertOwnPlace } from '../../backup/place-mark.ts';
import type { S3Access } from '../../backup/s3-place.ts';
import type { Control } from '../../control/open-control.ts';
import type { KnownPlace } from '../../control/privacy/backup-places.ts';
import type { WrittenErasure } from '../../control/privacy/erasures.ts';
import { withinPatience } from './within-patience.ts';

/** Erasures that a restore from a place with backups would not repeat. */
export type UnnotedErasures = {
  place: string;
  erasures: WrittenErasure[];
  /** Why the place can't be read, and so may have a note of them or not. */
  fault?: string;
};

/** Looks up erasures in all places with backups. Returns the places that lack some of them. */
export async function findUnnotedErasures(
  control: Pick<Control, 'erasures' | 'backupPlaces' | 'installation'>,
  s3: S3Access,
): Promise<UnnotedErasures[]> {
  const erasures = await control.erasures.list();
  const installation = await control.installation();
  const places = await control.backupPlaces.list();
  const found = await Promise.all(places.map((place) => lookUp(place, neededIn(place, erasures))));
  return found.filter((each) => each.erasures.length > 0);

  async function lookUp({ place }: KnownPlace, needed: WrittenErasure[]): Promise<UnnotedErasures> {
    if (needed.length === 0) return { place, erasures: [] };
    try {
      const notes = await withinPatience(readNotes(place));
      return { place, erasures: needed.filter((erasure) => !covers(notes.get(personOf(erasure)), erasure)) };
    } catch (error) {
      return { place, erasures: needed, fault: error instanceof Error ? error.message : String(error) };
    }
  }

  async function readNotes(name: string): Promise<Map<string, WrittenErasure>> {
    const place = openPlace(name, s3);
    await assertOwnPlace(place, installation);
    return new Map((await readErasureNotes(place)).map((note) => [personOf(note), note]));
  }
}

/**
 * A backup that was finished has noted everything from before it began. Notes that no backup needs anymore are
 * gone.
 */
function neededIn({ startedAt, finishedAt }: KnownPlace, erasures: WrittenErasure[]): WrittenErasure[] {
  const notedUntil = startedAt <= (finishedAt ?? 0) ? startedAt : 0;
  return erasures.filter(({ receivedBefore }) => receivedBefore >= notedUntil);
}

const covers = (note: WrittenErasure | undefined, erasure: WrittenErasure): boolean =>
  note !== undefined &&
  note.receivedBefore >= erasure.receivedBefore &&
  note.visits.length >= erasure.visits.length;

const personOf = ({ websiteId, visitorId }: WrittenErasure) => `${websiteId} ${visitorId}`;
