import type { Damage } from './damage-log.ts';

/** Bytes of a segment that can't be read. */
export type JournalGap = { segment: number; from: number; to: number };

/** The same gap has the same id, no matter who finds it. */
export function describeGap(gap: JournalGap, isLoaded: boolean): Omit<Damage, 'foundAt'> {
  const { segment, from, to } = gap;
  const id = `journal-frames-${segment}-${from}-${to - from}`;
  const means = isLoaded
    ? 'they were loaded earlier, so the records that could be read then are in the store'
    : 'their records had not been loaded and are lost';
  return {
    id,
    kind: 'journal-frames',
    says: `${to - from} bytes of journal segment ${segment}, from byte ${from}, can't be read; ${means}`,
    todo: `check the disk, then run trackside doctor --forget ${id}`,
  };
}

/** The number of bytes in the journal that are known to be unreadable, across restarts. */
export function gapBytesOf(damages: readonly Damage[]): number {
  return damages.reduce((sum, { id }) => {
    const bytes = /^(?:w\d+-)?journal-frames-\d+-\d+-(\d+)$/.exec(id)?.[1];
    return bytes === undefined ? sum : sum + Number(bytes);
  }, 0);
}
