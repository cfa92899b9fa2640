import type { LedgerCounts } from '#api/shapes.ts';
import { useFormat } from '#format/format-context.tsx';
import { useQualityWords } from './quality-words.ts';

/** What can become of a record. The last one is not part of what was sent. */
export const kinds = ['accepted', 'refused', 'missing', 'excluded', 'overQuota', 'repeated'] as const;

/** Returns a function that lists what became of records: `Counted: 1,190, refused: 12`. */
export function useSpellCounts(): (counts: LedgerCounts | undefined) => string {
  const words = useQualityWords();
  const format = useFormat();
  return (counts) =>
    kinds
      .filter((kind) => counts !== undefined && counts[kind] > 0)
      .map((kind) => `${words.counts[kind]}: ${format.number(counts![kind])}`)
      .join(' · ') || words.calendar.none;
}
