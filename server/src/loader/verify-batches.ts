import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { JournalGap } from '../damage/journal-gap.ts';
import { readSegments } from '../journal/read-segments.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import { compareBatches } from './compare-batches.ts';
import { JournalKeys } from './journal-keys.ts';
import { emptyState, type LedgerState, rowsOf } from './ledger-state.ts';
import { readLedger } from './open-ledger.ts';
import type { Gap } from './read-rows.ts';

/** For a batch in one month: how many records the journal has, and what is wrong with them in the store. */
export type VerifyDifference = {
  /** 0 for records that aren't in a batch yet and that the store has more often than the journal. */
  batch: number;
  month: string;
  expected: number;
  found: number;
  missing: number;
  surplus: number;
};

export type VerifyReport = {
  node: string;
  storeUuid: string;
  /**
   * False if the ledger is about another store. The server loads the journal into this one when it starts.
   */
  isSameStore: boolean;
  batches: number;
  rows: number;
  /** Rows of the journal that must not be in the store: erased, deleted, or too old. */
  unwantedRows: number;
  /** Rows that were there when the comparison began, and haven't been loaded yet. */
  waitingRows: number;
  differences: VerifyDifference[];
  /** The parts of the journal that can't be read. */
  gaps: JournalGap[];
  /** Rows whose journal is gone, so that they can no longer be compared. */
  forgottenRows: number;
};

type Options = {
  folder: string;
  store: Pick<Store, 'countBatches' | 'listKeys' | 'uuid'>;
  /** Rows of these nodes belong to other journals, even if they look like records of this one. */
  otherNodes: ReadonlySet<string>;
  /** Rows that aren't wanted and aren't in the store are no difference. */
  isWanted: IsWanted;
  /** If a server is running, a batch can be in progress. So a difference counts only if it persists. */
  patienceMs: number;
  /** Whether other servers load into the store too. Their records can have the keys of ours. */
  isShared?: boolean;
};

/**
 * Looks up each record of the journal in the store, by its key and in any batch, and changes nothing. The
 * ledger only decides which records have to be there by now.
 */
export async function verifyBatches(options: Options): Promise<VerifyReport | undefined> {
  const { folder, store, patienceMs } = options;
  const storeUuid = await store.uuid();
  const deadline = performance.now() + patienceMs;
  const begunAt = await findJournalEnd(folder);
  for (let looks = 1; ; looks += 1) {
    const known = await readLedger(folder);
    if (known === undefined && begunAt === undefined) return undefined;
    const ledger = known ?? emptyState('');
    const { differences, gaps, unwantedRows, waitingRows } = await compare(options, ledger, begunAt);
    const isSettled = differences.length === 0 && waitingRows === 0;
    if (isSettled || (looks > 1 && performance.now() >= deadline)) {
      const batches = [...ledger.batches.values()];
      return {
        node: ledger.node,
        storeUuid,
        isSameStore: ledger.storeUuid === undefined || ledger.storeUuid === storeUuid,
        batches: batches.length,
        rows: batches.reduce((sum, batch) => sum + rowsOf(batch), 0),
        unwantedRows,
        waitingRows,
        differences,
        gaps,
        forgottenRows: ledger.forgotten.rows,
      };
    }
    await delay(Math.min(250, patienceMs));
  }
}

/** Undefined if there is no journal, or nothing in it. */
async function findJournalEnd(folder: string): Promise<JournalPosition | undefined> {
  if (!existsSync(folder)) return undefined;
  const segments = (await readSegments(folder)).filter(({ firstFrame, end }) => firstFrame < end);
  const last = segments.at(-1);
  return last && { segment: last.number, offset: last.end };
}

async function compare(options: Options, ledger: LedgerState, begunAt: JournalPosition | undefined) {
  const { folder, store, otherNodes, isWanted, isShared = false } = options;
  const batches = [...ledger.batches.values()];
  const bySegment = Map.groupBy(batches, ({ segment }) => segment);
  const keys = new JournalKeys(
    (end) => begunAt !== undefined && !isBefore(begunAt, end) && isBefore(ledger.batchedTo, end),
  );
  const gaps: JournalGap[] = [];
  const segments = await readSegments(folder);
  for (const segment of segments) {
    const found = await keys
      .add(folder, segment, bySegment.get(segment.number) ?? [], isWanted)
      .catch((error: NodeJS.ErrnoException): Gap[] => {
        // The segment was removed after it was listed, with all of its batches.
        if (error.code === 'ENOENT') return [];
        throw error;
      });
    // At the end of the last segment, it is a write that is in progress or was never answered.
    const isUnderWay = ({ to }: Gap) => segment === segments.at(-1) && to === segment.end;
    for (const gap of found) if (!isUnderWay(gap)) gaps.push({ segment: segment.number, ...gap });
  }
  const nodes = new Set([ledger.node, ...segments.map(({ node }) => node)]);
  await keys.compare(async (range) => {
    const stored = await store.listKeys(range);
    return stored.filter(({ node }) => (isShared ? nodes.has(node) : !otherNodes.has(node)));
  });
  // Records that can't be read in the journal have no key. They are only counted.
  const { different } = await compareBatches(store, ledger.node, batches);
  for (const { batch, month, expected, found } of different) {
    const tally = keys.tallyOf(batch.batch, month);
    tally.missing = Math.max(tally.missing, expected - tally.unwanted - found);
    tally.surplus = Math.max(tally.surplus, found - expected);
  }
  // A batch that came later may be in progress.
  const isLater = (batch: number) => {
    const { segment, to = 0 } = ledger.batches.get(batch) ?? {};
    return segment !== undefined && begunAt !== undefined && isBefore(begunAt, { segment, offset: to });
  };
  const differences = keys
    .differences()
    .filter(({ batch }) => !isLater(batch))
    .map(({ batch, month, tally: { missing, surplus } }) => {
      const expected = ledger.batches.get(batch)?.months[month] ?? 0;
      return { batch, month, expected, found: expected - missing + surplus, missing, surplus };
    });
  return { differences, gaps, unwantedRows: keys.countUnwanted(), waitingRows: keys.countWaiting() };
}
