import assert from 'node:assert';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { limitConcurrency } from '../concurrency/limit-concurrency.ts';
import { type Disk, localDisk } from '../files/disk.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readTextPastFaults } from '../files/read-past-faults.ts';
import { syncFolder } from '../files/sync-folder.ts';
import { writeFully } from '../files/write-fully.ts';
import { listSegments, readSegmentHeader } from '../journal/segment-file.ts';
import { assertAdvanced, assertBatchesInOrder, assertMayAdd, assertMayRecount } from './assert-ledger.ts';
import { type Batch, formatLine, type LedgerLine, parseLines } from './ledger-lines.ts';
import {
  applyLine,
  emptyState,
  type LedgerState,
  leaveToStore,
  type OnlyInStore,
  rangesOf,
  rowsOf,
  storeLine,
  toLines,
} from './ledger-state.ts';

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

const compactAboveBytes = 4 * 1024 * 1024;
/** A few milliseconds of work. */
const linesPerPiece = 1000;
const fileName = 'ledger';

/** Reads the ledger without changing it, for commands that run while a server is writing. */
export async function readLedger(folder: string): Promise<LedgerState | undefined> {
  return (await readFolder(folder, localDisk)).state;
}

/**
 * Opens the loader's memory: which bytes of the journal went into which batch. A batch is written here, and
 * synced, before its INSERT begins, so that after a crash its rows can be counted in the store. The node's
 * name is also created here, because a new journal must not reuse the batch numbers of an older one. If the
 * file or its first line is gone, the segments still have the name.
 */
export async function openLedger({ folder, disk = localDisk }: { folder: string; disk?: Disk }) {
  await makeFolder(folder, disk);
  const found = await readFolder(folder, disk);
  const state = found.state ?? emptyState(`n${randomBytes(5).toString('hex')}`);
  const answered = answeredTo(state);
  forgetMissingSegments(state, new Set(await listSegments(folder, disk)));
  let { file, bytes } = await rewrite(disk, folder, state);
  let rewrittenBytes = bytes;
  await syncFolder(folder, disk);
  /** Behind its last whole line, the file may contain anything. */
  let isTailUnknown = false;
  /** After a power cut, the folder may have the file that was replaced, without the lines since then. */
  let isNameUnknown = false;

  const syncName = async (): Promise<void> => {
    await syncFolder(folder, disk);
    isNameUnknown = false;
  };

  const replaceFile = async (next: LedgerState): Promise<void> => {
    const old = file;
    ({ file, bytes } = await rewrite(disk, folder, next));
    rewrittenBytes = bytes;
    Object.assign(state, next);
    isTailUnknown = false;
    isNameUnknown = true;
    await old.close().catch(() => {});
    await syncName();
  };

  /** If there is no space for a new file, the old one is cut off behind its last whole line. */
  const mendFile = async (): Promise<void> => {
    await replaceFile(state).catch(async () => {
      if (isNameUnknown) await syncName();
      await file.truncate(bytes);
      await file.datasync();
      isTailUnknown = false;
    });
  };

  const write = async (line: LedgerLine): Promise<void> => {
    if (isTailUnknown || isNameUnknown) await mendFile();
    const text = Buffer.from(formatLine(line));
    isTailUnknown = true;
    await writeFully(file, text, bytes);
    await file.datasync();
    isTailUnknown = false;
    bytes += text.length;
    const { batchedTo, lastBatch } = state;
    applyLine(state, line);
    assertAdvanced(state, { batchedTo, lastBatch });
    // Many batches can need more space than the limit. Without the doubling, each line would rewrite them all.
    if (bytes < Math.max(compactAboveBytes, 2 * rewrittenBytes)) return;
    // The line is on disk. If there is no space to rewrite the file, that is tried again after the next line.
    await replaceFile(state).catch(() => {});
  };

  /**
   * Runs writes one after the other, because both the loader and the code that removes old segments write
   * here.
   */
  const inTurn = limitConcurrency({ places: 1, maxWaiting: Number.POSITIVE_INFINITY });
  const append = (line: LedgerLine): Promise<void> => inTurn(() => write(line));

  return {
    state: state as Readonly<LedgerState>,
    node: state.node,
    /** How far each segment was batched when the ledger was opened, and whether the store had all of that. */
    answered,
    /** The number of lines that couldn't be read when the ledger was opened. */
    unreadableLines: found.unreadable,
    setStore: (uuid: string, onlyInStore?: OnlyInStore) => append(storeLine(uuid, onlyInStore)),
    addBatch: (batch: Batch) =>
      inTurn(async () => {
        assertMayAdd(state, batch);
        await write({ batch });
      }),
    /** Writes down the new number of rows of a batch. */
    recountBatch: (batch: Batch) =>
      inTurn(async () => {
        assertMayRecount(state, batch);
        await write({ batch });
      }),
    /** Marks batches whose rows are known to be in the store, with as few lines as possible. */
    async markVerified(batches: Iterable<number>): Promise<void> {
      const unknown = [...batches].filter((batch) => !state.verified.has(batch));
      for (const range of rangesOf(unknown)) await append({ verified: range });
    },
    /**
     * Marks a batch that has to be loaded again. This is only in memory, because everything is counted again
     * after a restart.
     */
    unmarkVerified(batch: number): void {
      state.verified.delete(batch);
    },
    skipTo(batch: number): void {
      state.lastBatch = Math.max(state.lastBatch, batch);
    },
    /** Replaces all batches at once with these, which are in the order of the journal. */
    replaceBatches: (batches: readonly Batch[]): Promise<void> =>
      inTurn(async () => {
        assertBatchesInOrder(batches);
        const kept = new Set(batches.filter((batch) => state.batches.get(batch.batch) === batch));
        const last = batches.at(-1);
        const byNumber = new Map(batches.map((batch) => [batch.batch, batch]));
        const isKept = (batch: number) => kept.has(byNumber.get(batch)!);
        await replaceFile({
          ...state,
          batches: byNumber,
          verified: new Set([...state.verified].filter(isKept)),
          lastBatch: highestOf(batches, state.lastBatch),
          batchedTo: endOf(last),
        });
      }),
    /** Drops the batches of a segment that was removed from the journal. */
    async forgetSegment(segment: number): Promise<void> {
      const gone = [...state.batches.values()].filter((batch) => batch.segment <= segment);
      if (gone.length === 0) return;
      const upTo = highestOf(gone, 0);
      await append({ forgotten: gone.reduce(addForgotten, state.forgotten), upTo, segment });
    },
    close: (): Promise<void> => inTurn(() => file.close()),
  };
}

/** Batches contain answered records only. */
function answeredTo({ batches, verified }: LedgerState) {
  const bySegment = new Map<number, { segment: number; offset: number; isStored: boolean }>();
  for (const { batch, segment, to } of batches.values()) {
    const before = bySegment.get(segment);
    const isStored = verified.has(batch) && before?.isStored !== false;
    bySegment.set(segment, { segment, offset: Math.max(to, before?.offset ?? 0), isStored });
  }
  return [...bySegment.values()];
}

async function readFolder(folder: string, disk: Disk) {
  const path = join(folder, fileName);
  const text = await disk.readText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    if (error.code === 'EIO') return readTextPastFaults(disk, path);
    throw error;
  });
  const { lines, unreadable } = parseLines(text);
  const state = emptyState('');
  for (const line of lines) applyLine(state, line);
  if (state.node === '') state.node = (await readNodeName(folder, disk)) ?? '';
  return { state: state.node === '' ? undefined : state, unreadable };
}

/** Every segment names the node that wrote it. */
async function readNodeName(folder: string, disk: Disk): Promise<string | undefined> {
  const numbers = await listSegments(folder, disk).catch((error: NodeJS.ErrnoException): number[] => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const number of numbers.reverse()) {
    const opened = await readSegmentHeader(folder, number, disk);
    if (opened.kind === 'readable') return opened.header.node;
  }
  return undefined;
}

/**
 * Forgets segments that were unlinked just before a crash. Their batches were verified, or the segments would
 * still be there.
 */
function forgetMissingSegments(state: LedgerState, segments: ReadonlySet<number>): void {
  const missing = [...state.batches.values()].filter((batch) => !segments.has(batch.segment));
  for (const batch of missing) {
    state.forgotten = addForgotten(state.forgotten, batch);
    leaveToStore(state, batch);
  }
  if (missing.length === 0) return;
  // If the newest segments of a journal were taken away, their numbers can be used again. Those must not
  // count as batched.
  state.batchedTo = endOf([...state.batches.values()].at(-1));
}

function highestOf(batches: readonly Batch[], atLeast: number): number {
  return batches.reduce((highest, { batch }) => Math.max(highest, batch), atLeast);
}

function endOf(last: Batch | undefined): LedgerState['batchedTo'] {
  return last === undefined ? { segment: 0, offset: 0 } : { segment: last.segment, offset: last.to };
}

function addForgotten(forgotten: LedgerState['forgotten'], batch: Batch): LedgerState['forgotten'] {
  const isLater = batch.lastReceivedAt > forgotten.lastReceivedAt;
  return {
    batches: forgotten.batches + 1,
    rows: forgotten.rows + rowsOf(batch),
    lastReceivedAt: isLater ? batch.lastReceivedAt : forgotten.lastReceivedAt,
  };
}

/**
 * Writes the entire state to a new file and then replaces the old file, so that a crash leaves one or the
 * other. Once the file has its name, nothing may fail: lines must not go to a file that has lost it. It is
 * written in pieces, so that requests don't wait until all lines are formatted.
 */
async function rewrite(disk: Disk, folder: string, state: LedgerState) {
  const path = join(folder, fileName);
  const lines = toLines(state);
  const file = await disk.open(`${path}.new`, 'w', 0o600);
  let bytes = 0;
  try {
    for (let first = 0; first < lines.length; first += linesPerPiece) {
      const piece = lines.slice(first, first + linesPerPiece);
      const text = Buffer.from(piece.map(formatLine).join(''));
      await writeFully(file, text, bytes);
      bytes += text.length;
    }
    await file.sync();
    const { size } = await file.stat();
    assert.equal(
      size,
      bytes,
      'The ledger must end after its last line, because the next one is written there.',
    );
    await disk.rename(`${path}.new`, path);
  } catch (error) {
    await file.close().catch(() => {});
    throw error;
  }
  return { file, bytes };
}
