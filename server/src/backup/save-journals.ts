import { readFile } from 'node:fs/promises';
import { listWorkerFolders } from '../files/worker-folders.ts';
import { listSegments, segmentPath } from '../journal/segment-file.ts';
import type { LedgerState } from '../loader/ledger-state.ts';
import { readLedger } from '../loader/open-ledger.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { BackupPlace } from './backup-place.ts';
import type { SavedJournal } from './manifest.ts';
import { writePiece } from './piece.ts';

/** What the store may not have yet, and up to which batch of each node it is needed besides. */
export type SavedJournals = { journals: SavedJournal[]; lastBatches: Map<string, number> };

const maxAttempts = 5;

/**
 * Saves the end of each journal: everything that the store may not have yet, or that the contingents have not
 * counted yet. `countedTo` returns how far they have.
 */
export async function saveJournals(options: {
  dataDir: string;
  place: BackupPlace;
  countedTo: (node: string) => JournalPosition | undefined;
}): Promise<SavedJournals> {
  const journals: SavedJournal[] = [];
  const lastBatches = new Map<string, number>();
  for (const { worker, journal } of await listWorkerFolders(options.dataDir)) {
    const saved = await saveJournal(journal, options);
    if (saved === undefined) continue;
    journals.push({ worker, segments: saved.segments });
    lastBatches.set(saved.node, saved.lastBatch);
  }
  return { journals, lastBatches };
}

async function saveJournal(
  folder: string,
  { place, countedTo }: Parameters<typeof saveJournals>[0],
): Promise<(Pick<SavedJournal, 'segments'> & { node: string; lastBatch: number }) | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const ledger = await readLedger(folder).catch(orUndefined);
    if (ledger === undefined) return undefined;
    const { node, lastBatch } = ledger;
    // A node that has counted nothing has its whole journal to count.
    const start = earlier(loadedTo(ledger), countedTo(node) ?? { segment: 0, offset: 0 });
    const segments: SavedJournal['segments'] = [];
    try {
      for (const segment of await listSegments(folder)) {
        if (segment < start.segment) continue;
        const content = await readFile(segmentPath(folder, segment));
        const piece = await writePiece(place, { folder: 'journal', ending: 'segment' }, content);
        segments.push({ segment, piece });
      }
      return { segments, node, lastBatch };
    } catch (error) {
      // A segment was removed, so the store has it by now. The ledger says from where on it doesn't.
      if (attempt === maxAttempts || !isMissing(error)) throw error;
    }
  }
}

/** Where the first batch begins that is not known to be in the store. */
function loadedTo({ batches, verified, batchedTo }: LedgerState): JournalPosition {
  let first = batchedTo;
  for (const { batch, segment, from } of batches.values()) {
    const begins = { segment, offset: from };
    if (!verified.has(batch) && isBefore(begins, first)) first = begins;
  }
  return first;
}

const earlier = (one: JournalPosition, other: JournalPosition): JournalPosition =>
  isBefore(other, one) ? other : one;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function orUndefined(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
