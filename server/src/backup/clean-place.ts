import type { BackupPlace } from './backup-place.ts';
import { dropErasureNotes } from './erasure-notes.ts';
import { piecesOf, readNewest, removeManifest } from './manifest.ts';
import { listPieces } from './piece.ts';

/** An erasure that was noted while a backup was being made may still be in it. */
const marginMs = 24 * 3_600_000;

export type Cleaned = { backups: number; bytes: number; damaged: string[] };

/**
 * Removes all but the newest backups, and files that no backup consists of. Returns how many backups and bytes
 * were removed. Nobody knows which files a damaged backup needs, so as long as there is one, all are kept.
 */
export async function cleanPlace(place: BackupPlace, { keep }: { keep: number }): Promise<Cleaned> {
  const { whole, damaged, older } = await readNewest(place, keep);
  for (const name of older) await removeManifest(place, name);
  if (damaged.length > 0) return { backups: older.length, bytes: 0, damaged };
  const kept = whole.map(({ manifest }) => manifest);
  const needed = new Set(kept.flatMap(piecesOf).map(({ path }) => path));
  let bytes = 0;
  for (const file of await listPieces(place)) {
    if (needed.has(file.path)) continue;
    await place.remove(file.path);
    bytes += file.bytes;
  }
  const oldest = Math.min(...kept.map(({ startedAt }) => startedAt));
  await dropErasureNotes(place, oldest - marginMs);
  return { backups: older.length, bytes, damaged };
}
