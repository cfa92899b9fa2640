import type { WrittenErasure } from '../control/privacy/erasures.ts';
import { OperatorError } from '../operator-error.ts';
import type { BackupPlace } from './backup-place.ts';

const folder = 'erasures';

/**
 * Writes down in a place who was erased, so that a restore erases them again. It says no more than the control
 * database does: numbers of a visitor and of devices, and times.
 */
export async function noteErasure(place: BackupPlace, erasure: WrittenErasure): Promise<void> {
  const { websiteId, visitorId } = erasure;
  const path = pathOf(websiteId, visitorId);
  // A note that is damaged is replaced.
  const before = parse(await place.read(path));
  if (before !== undefined && before.receivedBefore > erasure.receivedBefore) return;
  // Visits that an earlier erasure of the same person found aren't found again.
  const visits = [...(before?.visits ?? []), ...erasure.visits].filter(
    (visit, at, all) => at === all.findIndex((other) => JSON.stringify(other) === JSON.stringify(visit)),
  );
  await place.write(path, Buffer.from(`${JSON.stringify({ ...erasure, visits })}\n`));
}

/** Everyone who was erased and may still be in one of the backups. */
export async function readErasureNotes(place: BackupPlace): Promise<WrittenErasure[]> {
  const notes: WrittenErasure[] = [];
  for (const { path } of await place.list(folder)) {
    const note = parse(await place.read(path));
    if (note === undefined)
      throw new OperatorError(
        `${path} in ${place.name} is damaged. It names a person who was erased. If the server that was backed ` +
          'up still exists, run a backup there, which writes the note again. ' +
          'Otherwise, delete the file: a restore then does not erase that person again.',
      );
    notes.push(note);
  }
  return notes;
}

/** Removes the notes of those who can't be in any backup that began after this moment. */
export async function dropErasureNotes(place: BackupPlace, beforeMs: number): Promise<void> {
  for (const { path } of await place.list(folder)) {
    const note = parse(await place.read(path));
    if (note !== undefined && note.receivedBefore < beforeMs) await place.remove(path);
  }
}

const pathOf = (websiteId: number, visitorId: string) => `${folder}/${websiteId}-${visitorId}.json`;

/** Undefined for a note that is missing or damaged. */
function parse(bytes: Buffer | undefined): WrittenErasure | undefined {
  try {
    const note = JSON.parse(bytes?.toString('utf8') ?? '') as WrittenErasure | null;
    return typeof note?.receivedBefore === 'number' ? note : undefined;
  } catch {
    return undefined;
  }
}
