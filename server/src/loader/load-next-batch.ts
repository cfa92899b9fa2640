import assert from 'node:assert';
import type { DamageLog } from '../damage/damage-log.ts';
import { describeGap } from '../damage/journal-gap.ts';
import type { Journal } from '../journal/open-journal.ts';
import { toMs } from '../journal/payload-start.ts';
import type { Log } from '../log.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { BatchInserter } from './batch-inserter.ts';
import { rowsOf } from './ledger-state.ts';
import type { LoaderProgress } from './loader-progress.ts';
import type { Ledger } from './open-ledger.ts';
import { type BatchLimits, nextStretch, readBatch } from './read-batch.ts';

type Options = {
  journal: Pick<Journal, 'folder' | 'segments' | 'durable'>;
  ledger: Ledger;
  inserter: BatchInserter;
  damage: Pick<DamageLog, 'report'>;
  progress: LoaderProgress;
  limits: BatchLimits;
  isWanted: IsWanted;
  log: Log;
};

/** Loads one batch of records that aren't in a batch yet. False if there is nothing more to load. */
export async function loadNextBatch(options: Options): Promise<boolean> {
  const { journal, ledger, inserter, damage, progress, limits, isWanted, log } = options;
  const stretch = () => nextStretch(journal.segments(), ledger.state.batchedTo);
  const next = stretch();
  if (next === undefined) return false;
  const { columns, segment, from, to } = next;
  const batch = ledger.state.lastBatch + 1;
  const { folder } = journal;
  const { node } = ledger;
  const into = inserter.body;
  const read = await readBatch({ folder, node, batch, columns, segment, from, to, limits, isWanted, into });
  const { entry } = read;
  if (entry.to === from) {
    if (segment === journal.durable().segment) return false;
    // Nothing is readable up to the end of a sealed segment. Skip it, so that later records are not held up.
    entry.to = to;
    read.gaps.push({ from, to });
  }
  for (const gap of read.gaps) await damage.report(describeGap({ segment, ...gap }, false));
  const leftOut = rowsOf({ months: read.leftOut });
  if (leftOut > 0) {
    log.info(
      { batch, records: leftOut },
      'skipped records: their website was deleted, they were erased, or they are too old',
    );
  }
  assert.equal(
    rowsOf(entry),
    read.rows,
    'The ledger must expect as many rows of a batch as are sent to the store, ' +
      'or it is loaded again forever.',
  );
  await ledger.addBatch(entry);
  if (read.rows > 0) {
    progress.oldestInFlightMs = toMs(entry.firstReceivedAt);
    try {
      await inserter.insert(batch, columns, read.body, read.rows);
    } finally {
      progress.oldestInFlightMs = undefined;
    }
    progress.batchedUpToMs = toMs(entry.lastReceivedAt);
  }
  return stretch() !== undefined;
}
