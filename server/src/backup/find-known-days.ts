import { isDeepStrictEqual } from 'node:util';
import type { BackupPlace } from './backup-place.ts';
import { type RecordsSource, readDraft, readNewest, type SavedDay } from './manifest.ts';

/**
 * The days that the newest backup, or one that wasn't finished, has saved from the same store, with the pieces
 * that are really there. After values were rewritten, everything has to be saved again.
 */
export async function findKnownDays(
  place: BackupPlace,
  source: RecordsSource,
): Promise<Map<string, SavedDay>> {
  const { whole } = await readNewest(place, 1);
  const saved = [whole[0]?.manifest, await readDraft(place)];
  const there = new Map((await place.list('records')).map(({ path, bytes }) => [path, bytes]));
  const known = new Map<string, SavedDay>();
  for (const found of saved) {
    if (found === undefined || !isDeepStrictEqual(found.source, source)) continue;
    for (const day of found.days) {
      const pieces = day.pieces.filter(({ path, bytes }) => there.get(path) === bytes);
      // Without one of its pieces, the day isn't what it was.
      const summary = pieces.length === day.pieces.length ? day.summary : '';
      known.set(day.day, { ...day, summary, pieces });
    }
  }
  return known;
}
