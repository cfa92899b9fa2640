import type { WorkerFolder } from '../../files/worker-folders.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import { type VerifyReport, verifyBatches } from '../../loader/verify-batches.ts';

/** The worker is named where it is not the first one. */
type OfWorker<T> = T & { worker?: number };

export type VerifiedJournals = Omit<VerifyReport, 'differences' | 'gaps'> & {
  differences: OfWorker<VerifyReport['differences'][number]>[];
  gaps: OfWorker<VerifyReport['gaps'][number]>[];
};

/** Compares the journals of all workers with the store. Returns undefined if there is none. */
export async function verifyJournals(
  journals: readonly WorkerFolder[],
  options: Omit<Parameters<typeof verifyBatches>[0], 'folder' | 'otherNodes'>,
): Promise<VerifiedJournals | undefined> {
  let all: VerifiedJournals | undefined;
  for (const { worker, journal } of journals) {
    const otherNodes = await readOtherNodes(journals, worker);
    const report = await verifyBatches({ ...options, folder: journal, otherNodes });
    if (report === undefined) continue;
    const name = <T extends object>(found: readonly T[]): OfWorker<T>[] =>
      found.map((one) => Object.assign({}, one, worker === 1 ? {} : { worker }));
    const named = { ...report, differences: name(report.differences), gaps: name(report.gaps) };
    all = all === undefined ? named : add(all, named);
  }
  return all;
}

/** The names under which the other workers load their records. */
export async function readOtherNodes(
  journals: readonly WorkerFolder[],
  worker: number,
): Promise<Set<string>> {
  const others = journals.filter((journal) => journal.worker !== worker);
  const ledgers = await Promise.all(others.map(({ journal }) => readLedger(journal)));
  return new Set(ledgers.flatMap((ledger) => ledger?.node ?? []));
}

function add(one: VerifiedJournals, other: VerifiedJournals): VerifiedJournals {
  return {
    ...one,
    isSameStore: one.isSameStore && other.isSameStore,
    batches: one.batches + other.batches,
    rows: one.rows + other.rows,
    unwantedRows: one.unwantedRows + other.unwantedRows,
    waitingRows: one.waitingRows + other.waitingRows,
    differences: [...one.differences, ...other.differences],
    gaps: [...one.gaps, ...other.gaps],
    forgottenRows: one.forgottenRows + other.forgottenRows,
  };
}
