import { isBefore, type JournalPosition } from '../records/journal-position.ts';

/** A place up to which records were on disk and answered. `isStored` says that the store has all of them. */
export type AnsweredTo = JournalPosition & { isStored: boolean };

/** A segment that ends before a place that was answered. Without `end`, the whole file is missing. */
export type LostEnd = { segment: number; end: number | undefined; answeredTo: number; isStored: boolean };

/**
 * Compares what the journal holds with what other parts remember of it. The server removes old segments from
 * the front only, once the store has them. So a gap after the first segment, or at the end, was not made by
 * the server.
 */
export function findLostEnds(
  found: readonly { number: number; end: number }[],
  answered: readonly AnsweredTo[],
): LostEnd[] {
  const ends = new Map(found.map(({ number, end }) => [number, end]));
  const first = found[0]?.number ?? 0;
  const lost = new Map<number, LostEnd>();
  for (const { segment, offset, isStored } of answered.toSorted((a, b) => (isBefore(a, b) ? -1 : 1))) {
    const end = ends.get(segment);
    if (end === undefined ? segment < first || isStored : end >= offset) continue;
    // A loss that the store makes up for is reported only if nothing worse is known about the segment.
    if (isStored && lost.get(segment)?.isStored === false) continue;
    lost.set(segment, { segment, end, answeredTo: offset, isStored });
  }
  return [...lost.values()];
}
