import type { Batch } from './ledger-lines.ts';
import type { SegmentStretch } from './read-rows.ts';

/**
 * Batches follow each other without a gap, starting at the first frame of the oldest segment. Where they
 * don't, a line of the ledger is missing or wrong. Returns the number of batches before that point, or
 * undefined if there is no gap.
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
