import type { BackupPlace } from './backup-place.ts';
import { dropErasureNotes } from './erasure-notes.ts';
import { listManifests, piecesOf, readManifest, removeManifest } from './manifest.ts';
import { listPieces } from './piece.ts';

/** An erasure that was noted while a backup was being made may still be in it. */
const marginMs = 24 * 3_600_000;

/**
 * Removes all but the newest backups, and files that no backup consists of. Returns how many backups and bytes
 * were removed.
 */
export async function cleanPlace(
  place: BackupPlace,
  { keep }: { keep: number },
): Promise<{ backups: number; bytes: number }> {
  const names = await listManifests(place);
  const old = names.slice(0, -keep);
  for (const name of old) await removeManifest(place, name);
  const kept = await Promise.all(names.slice(-keep).map((name) => readManifest(place, name)));
  const needed = new Set(kept.flatMap(piecesOf).map(({ path }) => path));
  let bytes = 0;
  for (const file of await listPieces(place)) {
    if (needed.has(file.path)) continue;
    await place.remove(file.path);
    bytes += file.bytes;
  }
  const oldest = Math.min(...kept.map(({ startedAt }) => startedAt));
  await dropErasureNotes(place, oldest - marginMs);
  return { backups: old.length, bytes };
}
