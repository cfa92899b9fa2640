import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../core/sync-folder.ts';
import { listSegments } from '../journal/segment-file.ts';
import { type Batch, formatLine, type LedgerLine, parseLines } from './ledger-lines.ts';
import { applyLine, emptyState, type LedgerState, rangesOf, rowsOf, toLines } from './ledger-state.ts';

export type Ledger = Awaited<ReturnType<typeof openLedger>>;

const compactAboveBytes = 4 * 1024 * 1024;
const fileName = 'ledger';

/** Reads the ledger without touching it, for commands that look while a server writes. */
export async function readLedger(folder: string): Promise<LedgerState | undefined> {
  const file = join(folder, fileName);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const state = emptyState('');
  for (const line of parseLines(text, file).lines) applyLine(state, line);
  return state.node === '' ? undefined : state;
}

/**
 * Opens the loader's memory: which bytes of the journal went into which batch. A batch is written here, and synced,
 * before its INSERT begins, so that after a crash its rows can be counted in the store.
 * The node's name is made here too: a journal that begins anew must not reuse the batch numbers of an older one.
 */
export async function openLedger({ folder }: { folder: string }) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const state = (await readLedger(folder)) ?? emptyState(`n${randomBytes(5).toString('hex')}`);
  const answered = answeredTo(state);
  forgetMissingSegments(state, new Set(await listSegments(folder)));
  let { file, bytes } = await rewrite(folder, state);

  const append = async (line: LedgerLine): Promise<void> => {
    const text = Buffer.from(formatLine(line));
    await file.write(text, 0, text.length, bytes);
    await file.datasync();
    bytes += text.length;
    applyLine(state, line);
    if (bytes < compactAboveBytes) return;
    const old = file;
    ({ file, bytes } = await rewrite(folder, state));
    await old.close();
  };

  return {
    state: state as Readonly<LedgerState>,
    node: state.node,
    /** Up to where each segment was batched when the ledger was opened, and whether the store had all of that. */
    answered,
    setStore: (uuid: string) => append({ store: uuid }),
    addBatch: (batch: Batch) => append({ batch }),
    /** Rows of a batch that the store is known to have; written in as few lines as possible. */
    async markVerified(batches: Iterable<number>): Promise<void> {
      const unknown = [...batches].filter((batch) => !state.verified.has(batch));
      for (const range of rangesOf(unknown)) await append({ verified: range });
    },
    /** A batch that has to be loaded again. Only in memory: after a restart everything is counted anew. */
    unmarkVerified(batch: number): void {
      state.verified.delete(batch);
    },
    skipTo(batch: number): void {
      state.lastBatch = Math.max(state.lastBatch, batch);
    },
    /** Drops the batches of a segment that was removed from the journal. */
    async forgetSegment(segment: number): Promise<void> {
      const upTo = [...state.batches.values()].findLast((batch) => batch.segment <= segment)?.batch;
      if (upTo !== undefined) await append({ forgotten: forgottenUpTo(state, upTo), upTo });
    },
    close: () => file.close(),
  };
}

/** Batches are made of answered records only. */
function answeredTo({ batches, verified }: LedgerState) {
  const bySegment = new Map<number, { segment: number; offset: number; isStored: boolean }>();
  for (const { batch, segment, to } of batches.values()) {
    const before = bySegment.get(segment);
    const isStored = verified.has(batch) && before?.isStored !== false;
    bySegment.set(segment, { segment, offset: Math.max(to, before?.offset ?? 0), isStored });
  }
  return [...bySegment.values()];
}

/** A segment that was unlinked just before a crash: its batches were verified, or the segment would still be there. */
function forgetMissingSegments(state: LedgerState, segments: ReadonlySet<number>): void {
  const missing = [...state.batches.values()].filter((batch) => !segments.has(batch.segment));
  for (const { batch } of missing) {
    state.forgotten = addForgotten(state.forgotten, state.batches.get(batch)!);
    state.batches.delete(batch);
    state.verified.delete(batch);
  }
  if (missing.length === 0) return;
  // A journal whose newest segments were taken away can give their numbers again: those must not count as batched.
  const last = [...state.batches.values()].at(-1);
  state.batchedTo =
    last === undefined ? { segment: 0, offset: 0 } : { segment: last.segment, offset: last.to };
}

function forgottenUpTo(state: LedgerState, upTo: number) {
  let forgotten = state.forgotten;
  for (const batch of state.batches.values()) {
    if (batch.batch <= upTo) forgotten = addForgotten(forgotten, batch);
  }
  return forgotten;
}

function addForgotten(forgotten: LedgerState['forgotten'], batch: Batch): LedgerState['forgotten'] {
  const isLater = batch.lastReceivedAt > forgotten.lastReceivedAt;
  return {
    batches: forgotten.batches + 1,
    rows: forgotten.rows + rowsOf(batch),
    lastReceivedAt: isLater ? batch.lastReceivedAt : forgotten.lastReceivedAt,
  };
}

/** Writes the whole state beside the old file and puts it in its place, so that a crash leaves one or the other. */
async function rewrite(folder: string, state: LedgerState): Promise<{ file: FileHandle; bytes: number }> {
  const path = join(folder, fileName);
  const text = toLines(state).map(formatLine).join('');
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  await syncFolder(folder);
  return { file: await open(path, 'r+'), bytes: Buffer.byteLength(text) };
}
