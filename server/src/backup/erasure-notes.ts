import type { WrittenErasure } from '../control/privacy/erasures.ts';
import { OperatorError } from '../operator-error.ts';
import type { BackupPlace } from './backup-place.ts';
import { hashOf } from './piece.ts';

const folder = 'erasures';

/**
 * Writes down in a place who was erased, so that a restore erases them again. It says no more than the control
 * database does: numbers of a visitor and of devices, and times.
 */
export async function noteErasure(place: BackupPlace, erasure: WrittenErasure): Promise<void> {
  const { websiteId, visitorId } = erasure;
  const path = pathOf(websiteId, visitorId);
  // A note that is damaged is replaced.
  const before = parse(path, await place.read(path));
  if (before !== undefined && before.receivedBefore > erasure.receivedBefore) return;
  // Visits that an earlier erasure of the same person found aren't found again.
  const visits = [...(before?.visits ?? []), ...erasure.visits].filter(
    (visit, at, all) => at === all.findIndex((other) => JSON.stringify(other) === JSON.stringify(visit)),
  );
  const note = { ...erasure, visits };
  await place.write(
    path,
    Buffer.from(`${JSON.stringify({ ...note, hash: hashOf(JSON.stringify(note)) })}\n`),
  );
}

/** Everyone who was erased and may still be in one of the backups. */
export async function readErasureNotes(place: BackupPlace): Promise<WrittenErasure[]> {
  const { notes, damaged } = await lookAtErasureNotes(place);
  if (damaged.length > 0)
    throw new OperatorError(
      `${damaged[0]} in ${place.name} is damaged. It names a person who was erased. If the server that was backed ` +
        'up still exists, run a backup there, which writes the note again. ' +
        'Otherwise, delete the file: a restore then does not erase that person again.',
    );
  return notes;
}

/** Reads all notes, and lists the files of those that are damaged. */
export async function lookAtErasureNotes(place: BackupPlace) {
  const notes: WrittenErasure[] = [];
  const damaged: string[] = [];
  for (const { path } of await place.list(folder)) {
    const note = parse(path, await place.read(path));
    if (note === undefined) damaged.push(path);
    else notes.push(note);
  }
  return { notes, damaged };
}

/** Removes the notes of those who can't be in any backup that began after this moment. */
export async function dropErasureNotes(place: BackupPlace, beforeMs: number): Promise<void> {
  for (const { path } of await place.list(folder)) {
    const note = parse(path, await place.read(path));
    if (note !== undefined && note.receivedBefore < beforeMs) await place.remove(path);
  }
}

const pathOf = (websiteId: number, visitorId: string) => `${folder}/${websiteId}-${visitorId}.json`;

/** Undefined for a note that is missing or damaged. Notes of earlier versions have no hash. */
function parse(path: string, bytes: Buffer | undefined): WrittenErasure | undefined {
  try {
    const { hash, ...note }: WrittenErasure & { hash?: string } = JSON.parse(bytes?.toString('utf8') ?? '');
    const isWhole = hash === undefined || hash === hashOf(JSON.stringify(note));
    return isWhole && path === pathOf(note.websiteId, note.visitorId) ? note : undefined;
  } catch {
    return undefined;
  }
}
