import type { Batch } from './ledger-lines.ts';
import type { SegmentStretch } from './read-rows.ts';

/**
 * Batches follow each other without a gap, from the first frame of the oldest segment on. Where one does not,
 * a line of the ledger is missing or wrong: answers how many batches there are before that, undefined when
 * all is well.
 */
export function findHole(segments: readonly SegmentStretch[], batches: readonly Batch[]): number | undefined {
  let index = 0;
  for (const { number, firstFrame, end } of segments) {
    let at = firstFrame;
    for (; batches[index]?.segment === number; index += 1) {
      const { from, to } = batches[index]!;
      if (from !== at || to > end) return index;
      at = to;
    }
    if (index === batches.length) return undefined;
    if (at < end) return index;
  }
  return index === batches.length ? undefined : index;
}
