import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { Batch, Forgotten, LedgerLine } from './ledger-lines.ts';

/**
 * How many records only the store had when the engine was last started. Those that journals have removed since
 * come on top of them: all that ledgers have forgotten now, except for what they had forgotten then.
 */
export type OnlyInStore = { rows: number; forgottenThen: number | undefined };

/** The state that results from the ledger's lines. */
export type LedgerState = {
  node: string;
  storeUuid: string | undefined;
  /** Undefined until the engine has been started with this store. */
  onlyInStore: OnlyInStore | undefined;
  /** In the order of the journal, which isn't always the order of their numbers. */
  batches: Map<number, Batch>;
  verified: Set<number>;
  forgotten: Forgotten;
  lastBatch: number;
  /** The end of the last batch. Everything behind it still has to be batched. */
  batchedTo: JournalPosition;
};

export function emptyState(node: string): LedgerState {
  return {
    node,
    storeUuid: undefined,
    onlyInStore: undefined,
    batches: new Map(),
    verified: new Set(),
    forgotten: { batches: 0, rows: 0, lastReceivedAt: '' },
    lastBatch: 0,
    batchedTo: { segment: 0, offset: 0 },
  };
}

export function applyLine(state: LedgerState, line: LedgerLine): void {
  if ('node' in line) state.node = line.node;
  else if ('store' in line) {
    state.storeUuid = line.store;
    const { onlyThere, forgottenThen } = line;
    state.onlyInStore = onlyThere === undefined ? undefined : { rows: onlyThere, forgottenThen };
  } else if ('batch' in line) addBatch(state, line.batch);
  else if ('lastBatch' in line) state.lastBatch = Math.max(state.lastBatch, line.lastBatch);
  else if ('verified' in line) {
    for (let batch = line.verified.from; batch <= line.verified.to; batch += 1) {
      if (state.batches.has(batch)) state.verified.add(batch);
    }
  } else {
    state.forgotten = line.forgotten;
    state.lastBatch = Math.max(state.lastBatch, line.upTo);
    for (const batch of state.batches.values()) {
      if (line.segment === undefined ? batch.batch > line.upTo : batch.segment > line.segment) continue;
      leaveToStore(state, batch);
    }
  }
}

/** Drops a batch whose segment is gone. */
export function leaveToStore(state: LedgerState, batch: Batch): void {
  state.batches.delete(batch.batch);
  state.verified.delete(batch.batch);
}

function addBatch(state: LedgerState, batch: Batch): void {
  state.batches.set(batch.batch, batch);
  state.lastBatch = Math.max(state.lastBatch, batch.batch);
  const end = { segment: batch.segment, offset: batch.to };
  // A batch can be written down again, with other counts, after later ones were.
  if (isBefore(state.batchedTo, end)) state.batchedTo = end;
}

export function rowsOf(batch: Pick<Batch, 'months'>): number {
  return Object.values(batch.months).reduce((sum, rows) => sum + rows, 0);
}

/** The smallest number of lines that result in this state. */
export function toLines(state: LedgerState): LedgerLine[] {
  const lines: LedgerLine[] = [{ node: state.node, format: 1 }];
  if (state.storeUuid !== undefined) lines.push(storeLine(state.storeUuid, state.onlyInStore));
  lines.push({ forgotten: state.forgotten, upTo: 0 }, { lastBatch: state.lastBatch });
  for (const batch of state.batches.values()) lines.push({ batch });
  for (const range of rangesOf(state.verified)) lines.push({ verified: range });
  return lines;
}

export function storeLine(store: string, onlyInStore: OnlyInStore | undefined): LedgerLine {
  if (onlyInStore === undefined) return { store };
  const { rows, forgottenThen } = onlyInStore;
  return { store, onlyThere: rows, ...(forgottenThen !== undefined && { forgottenThen }) };
}

/** Combines consecutive numbers into ranges. */
export function rangesOf(numbers: Iterable<number>): { from: number; to: number }[] {
  const ranges: { from: number; to: number }[] = [];
  for (const number of [...numbers].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  return ranges;
}
