import type { BackupPlace } from './backup-place.ts';
import { lookAtErasureNotes } from './erasure-notes.ts';
import { listManifests, piecesOf, readManifest } from './manifest.ts';
import { BrokenBackup, type Piece, readPiece } from './piece.ts';

/** A file that isn't what it was, and the backups that need it. A restore from any of them needs all erasures. */
export type BrokenFile = { path: string; says: string; backups: string[] };

/** Reads every file of all backups and every erasure, and compares it with its hash. */
export async function verifyBackups(
  place: BackupPlace,
  onProgress: (done: { bytes: number; ofBytes: number }) => void,
): Promise<{ backups: number; files: number; bytes: number; broken: BrokenFile[] }> {
  const names = await listManifests(place);
  const needed = new Map<string, { piece: Piece; backups: string[] }>();
  const broken: BrokenFile[] = [];
  for (const name of names) {
    const manifest = await readManifest(place, name).catch((error: unknown) => {
      broken.push({ path: `backups/${name}.json`, says: saysOf(error), backups: [name] });
    });
    for (const piece of manifest === undefined ? [] : piecesOf(manifest)) {
      const entry = needed.get(piece.path) ?? { piece, backups: [] };
      needed.set(piece.path, entry);
      entry.backups.push(name);
    }
  }
  const ofBytes = [...needed.values()].reduce((sum, { piece }) => sum + piece.bytes, 0);
  let bytes = 0;
  for (const { piece, backups } of needed.values()) {
    await readPiece(place, piece).catch((error: unknown) => {
      broken.push({ path: piece.path, says: saysOf(error), backups });
    });
    bytes += piece.bytes;
    onProgress({ bytes, ofBytes });
  }
  const { notes, damaged } = await lookAtErasureNotes(place);
  for (const path of damaged)
    broken.push({
      path,
      says: `${path} in ${place.name} is damaged. It names a person who was erased.`,
      backups: [],
    });
  return { backups: names.length, files: needed.size + notes.length + damaged.length, bytes, broken };
}

/** Faults of the place itself, such as a bucket that doesn't answer, say nothing about the backup. */
function saysOf(error: unknown): string {
  if (error instanceof BrokenBackup) return error.says;
  throw error;
}
