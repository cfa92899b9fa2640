import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { listWorkerFolders } from '../files/worker-folders.ts';
import { listSegments, segmentPath } from '../journal/segment-file.ts';
import { compareBatches } from '../loader/compare-batches.ts';
import type { LedgerState } from '../loader/ledger-state.ts';
import { readLedger } from '../loader/open-ledger.ts';
import { OperatorError } from '../operator-error.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import { maxDaysBefore } from '../records/late-limits.ts';
import type { Store } from '../store/open-store.ts';
import type { BackupPlace } from './backup-place.ts';
import type { SavedJournal } from './manifest.ts';
import { writePiece } from './piece.ts';

/** What the store may not have yet, and which batches of the store are needed besides. */
export type SavedJournals = {
  journals: SavedJournal[];
  isInStore: (of: { node: string; batch: number }) => boolean;
};

type JournalOptions = {
  dataDir: string;
  place: BackupPlace;
  store: Pick<Store, 'countBatches'>;
  countedTo: (node: string) => JournalPosition | undefined;
};

type OneJournal = {
  node: string;
  segments: SavedJournal['segments'];
  lastBatch: number;
  /** Batches whose records are in the segments. */
  saved: ReadonlySet<number>;
};

const maxAttempts = 5;
const settleMs = 2_000;

/**
 * Saves the end of each journal: everything that the store may not have yet, or that the contingents have not
 * counted yet. `countedTo` returns how far they have.
 */
export async function saveJournals(options: JournalOptions): Promise<SavedJournals> {
  const journals: SavedJournal[] = [];
  const ofNodes = new Map<string, OneJournal>();
  for (const { worker, journal } of await listWorkerFolders(options.dataDir)) {
    const saved = await saveJournal(journal, options);
    if (saved === undefined) continue;
    journals.push({ worker, segments: saved.segments });
    ofNodes.set(saved.node, saved);
  }
  const isInStore: SavedJournals['isInStore'] = ({ node, batch }) => {
    const of = ofNodes.get(node);
    return of === undefined || (batch <= of.lastBatch && !of.saved.has(batch));
  };
  return { journals, isInStore };
}

async function saveJournal(folder: string, options: JournalOptions): Promise<OneJournal | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    const ledger = await readLedger(folder).catch(orUndefined);
    if (ledger === undefined) return undefined;
    const { node, lastBatch } = ledger;
    const missing = await findMissing(ledger, options.store);
    if (missing === undefined) {
      if (attempt === maxAttempts) throw new OperatorError(unsure);
      await delay(settleMs);
      continue;
    }
    // A node that has counted nothing has its whole journal to count.
    const start = earlier(missing.start, options.countedTo(node) ?? { segment: 0, offset: 0 });
    try {
      const segments = await saveSegments(folder, options.place, start);
      return { node, segments, lastBatch, saved: missing.batches };
    } catch (error) {
      // A segment was removed, so the store has it by now. The ledger says from where on it doesn't.
      if (attempt === maxAttempts || !isMissing(error)) throw error;
    }
  }
}

const unsure =
  'The store has records that the ledger does not know, so it is not known what is in the journal alone. ' +
  'Start the server, which compares them, and run the command again.';

async function saveSegments(
  folder: string,
  place: BackupPlace,
  start: JournalPosition,
): Promise<SavedJournal['segments']> {
  const segments: SavedJournal['segments'] = [];
  for (const segment of await listSegments(folder)) {
    if (segment < start.segment) continue;
    const content = await readFile(segmentPath(folder, segment));
    const piece = await writePiece(place, { folder: 'journal', ending: 'segment' }, content);
    segments.push({ segment, piece });
  }
  return segments;
}

/**
 * Finds the batches that are not exactly in the store, and where the first of them begins. The ledger alone
 * can't tell: while everything is loaded again into a new store, it still says what the old one had. Returns
 * undefined if the store has batches that the ledger doesn't know.
 */
async function findMissing(
  { node, batches, verified, batchedTo, lastBatch }: LedgerState,
  store: JournalOptions['store'],
): Promise<{ batches: Set<number>; start: JournalPosition } | undefined> {
  const { same, others } = await compareBatches(store, node, [...batches.values()], {
    daysBefore: maxDaysBefore,
  });
  if (others.some((batch) => batch <= lastBatch)) return undefined;
  const there = new Set(same.map(({ batch }) => batch));
  const missing = { batches: new Set<number>(), start: batchedTo };
  for (const { batch, segment, from } of batches.values()) {
    if (there.has(batch) && verified.has(batch)) continue;
    missing.start = earlier(missing.start, { segment, offset: from });
    // A batch that has just arrived may be in both parts: its records are recognized when they are restored.
    if (!there.has(batch)) missing.batches.add(batch);
  }
  return missing;
}

const earlier = (one: JournalPosition, other: JournalPosition): JournalPosition =>
  isBefore(other, one) ? other : one;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

function orUndefined(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
