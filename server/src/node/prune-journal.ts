import type { IdempotencyIndex } from '../intake/idempotency/idempotency-index.ts';
import { rememberedMs } from '../intake/idempotency/key-memory.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Ledger } from '../loader/open-ledger.ts';
import type { Loader } from '../loader/start-loader.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import { isBefore } from '../records/journal-position.ts';

type Options = {
  journal: Pick<Journal, 'segments' | 'ageMs' | 'remove' | 'rotate' | 'bytes'>;
  ledger: Pick<Ledger, 'forgetSegment'>;
  loader: Pick<Loader, 'isVerifiedTo' | 'verifyNow' | 'runRemoval'>;
  /** Everything before this place is no longer needed by the contingent. */
  covered: () => JournalPosition | undefined;
  /** The next start reads from the journal which keys were used in the last hour. */
  idempotencyIndex: Pick<IdempotencyIndex, 'size' | 'holdsRecalled'>;
  retentionMs: number;
  /** Above this, age no longer matters: everything that the store has is removed. */
  pressureBytes: number;
};

const longestSegmentMs = 60 * 60 * 1000;

/**
 * Removes segments that the store has in full, once they are old enough. A segment is sealed after an hour at
 * most.
 */
export async function pruneJournal(options: Options): Promise<number[]> {
  const { journal, ledger, loader } = options;
  const current = journal.segments().at(-1);
  const isUsed = current !== undefined && current.end > current.firstFrame;
  const isUnderPressure = () => journal.bytes() > options.pressureBytes;
  const segmentMs = Math.min(longestSegmentMs, options.retentionMs);
  if (isUsed && (journal.ageMs(current) > segmentMs || isUnderPressure())) await journal.rotate();

  const keptMs = readKeptMs(options);
  const removed: number[] = [];
  for (;;) {
    const [segment, next] = journal.segments();
    if (segment === undefined || next === undefined) return removed;
    if (journal.ageMs(next) < keptMs && !isUnderPressure()) return removed;
    const end = { segment: segment.number, offset: segment.end };
    if (!loader.isVerifiedTo(end)) {
      loader.verifyNow();
      return removed;
    }
    const covered = options.covered();
    if (covered === undefined || isBefore(covered, end)) return removed;
    await loader.runRemoval(async () => {
      await journal.remove(segment.number);
      await ledger.forgetSegment(segment.number);
    });
    removed.push(segment.number);
  }
}

/**
 * While keys from before the start are of use, all segments are kept: the hour for which keys are remembered
 * doesn't count the time that the node was down.
 */
function readKeptMs({ idempotencyIndex, retentionMs }: Options): number {
  if (idempotencyIndex.holdsRecalled()) return Number.POSITIVE_INFINITY;
  return idempotencyIndex.size() > 0 ? Math.max(rememberedMs, retentionMs) : retentionMs;
}
