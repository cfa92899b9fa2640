import type { BackupPlace } from './backup-place.ts';
import { listManifests, piecesOf, readIfWhole } from './manifest.ts';
import { BrokenBackup, type Piece, readPiece } from './piece.ts';

/**
 * Finds the newest backup whose manifest and control database are whole. Its other files are checked when they are
 * restored, because reading all of them takes long.
 */
export async function findNewest(
  place: BackupPlace,
): Promise<{ newest: string | undefined; damaged: string[] }> {
  const damaged: string[] = [];
  for (const name of (await listManifests(place)).toReversed()) {
    const manifest = await readIfWhole(place, name);
    if (manifest !== undefined && (await isWhole(place, manifest.control))) return { newest: name, damaged };
    damaged.push(name);
  }
  return { newest: undefined, damaged };
}

/** Finds the newest backup before this one that doesn't need the broken file. */
export async function findOlder(
  place: BackupPlace,
  { name: from, without }: { name: string; without: string },
): Promise<string | undefined> {
  const older = (await listManifests(place)).filter((name) => name < from);
  for (const name of older.toReversed()) {
    const manifest = await readIfWhole(place, name);
    if (manifest !== undefined && piecesOf(manifest).every(({ path }) => path !== without)) return name;
  }
  return undefined;
}

async function isWhole(place: BackupPlace, piece: Piece): Promise<boolean> {
  return await readPiece(place, piece).then(
    () => true,
    (error: unknown) => {
      if (error instanceof BrokenBackup) return false;
      throw error;
    },
  );
}
