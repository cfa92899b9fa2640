import { setTimeout as delay } from 'node:timers/promises';
import type { JournalGap } from '../damage/journal-gap.ts';
import { readSegments } from '../journal/read-segments.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import { compareBatches } from './compare-batches.ts';
import { JournalKeys } from './journal-keys.ts';
import { type LedgerState, rowsOf } from './ledger-state.ts';
import { readLedger } from './open-ledger.ts';
import type { Gap } from './read-rows.ts';

/** Of a batch in one month: how many records the journal has, and what is wrong with them in the store. */
export type VerifyDifference = {
  /** 0 for records that no batch has yet and that are in the store more often than in the journal. */
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
   * False: the store is not the one that the ledger speaks of. The server loads the journal into it when it
   * starts.
   */
  isSameStore: boolean;
  batches: number;
  rows: number;
  differences: VerifyDifference[];
  /** What cannot be read of the journal. */
  gaps: JournalGap[];
  /** Rows whose journal is gone: they can no longer be compared. */
  forgottenRows: number;
};

type Options = {
  folder: string;
  store: Pick<Store, 'countBatches' | 'listKeys' | 'uuid'>;
  /** Rows that are not, and are not there, are no difference. */
  isWanted: IsWanted;
  /** Beside a running server a batch can be under way, so a difference counts only when it stays. */
  patienceMs: number;
};

/**
 * Looks up each record of the journal in the store, by its key and wherever it is, and changes nothing. What
 * the ledger says only decides which records have to be there by now.
 */
export async function verifyBatches(options: Options): Promise<VerifyReport | undefined> {
  const storeUuid = await options.store.uuid();
  const deadline = performance.now() + options.patienceMs;
  for (let looks = 1; ; looks += 1) {
    const ledger = await readLedger(options.folder);
    if (ledger === undefined) return undefined;
    const { differences, gaps } = await compare(options, ledger);
    if (differences.length === 0 || (looks > 1 && performance.now() >= deadline)) {
      const batches = [...ledger.batches.values()];
      return {
        node: ledger.node,
        storeUuid,
        isSameStore: ledger.storeUuid === storeUuid,
        batches: batches.length,
        rows: batches.reduce((sum, batch) => sum + rowsOf(batch), 0),
        differences,
        gaps,
        forgottenRows: ledger.forgotten.rows,
      };
    }
    await delay(Math.min(250, options.patienceMs));
  }
}

async function compare({ folder, store, isWanted }: Options, ledger: LedgerState) {
  const batches = [...ledger.batches.values()];
  const bySegment = Map.groupBy(batches, ({ segment }) => segment);
  const keys = new JournalKeys();
  const gaps: JournalGap[] = [];
  const segments = await readSegments(folder);
  for (const segment of segments) {
    const found = await keys
      .add(folder, segment, bySegment.get(segment.number) ?? [], isWanted)
      .catch((error: NodeJS.ErrnoException): Gap[] => {
        // Removed since it was listed, with all of its batches.
        if (error.code === 'ENOENT') return [];
        throw error;
      });
    // At the end of the last one it is a write that is under way, or was never answered.
    const isUnderWay = ({ to }: Gap) => segment === segments.at(-1) && to === segment.end;
    for (const gap of found) if (!isUnderWay(gap)) gaps.push({ segment: segment.number, ...gap });
  }
  await keys.compare((range) => store.listKeys(range));
  // Records that cannot be read in the journal have no key. They are only counted.
  const { different } = await compareBatches(store, ledger.node, batches);
  for (const { batch, month, expected, found } of different) {
    const tally = keys.tallyOf(batch.batch, month);
    tally.missing = Math.max(tally.missing, expected - tally.unwanted - found);
    tally.surplus = Math.max(tally.surplus, found - expected);
  }
  const differences = keys.differences().map(({ batch, month, tally: { missing, surplus } }) => {
    const expected = ledger.batches.get(batch)?.months[month] ?? 0;
    return { batch, month, expected, found: expected - missing + surplus, missing, surplus };
  });
  return { differences, gaps };
}
