import type { JournalPosition } from '../records/journal-position.ts';
import type { LoadedWaits, LoaderOptions } from './loader-options.ts';

/** Tells those who wait for their records to be in the store how far it is. */
export function createLoadedNews(waits: LoadedWaits | undefined, known: LoaderOptions['damage']) {
  /** Whether something couldn't be read or mended since the waiting were last told. */
  let hasMetDamage = false;
  const damage: LoaderOptions['damage'] = {
    settle: (isSettled) => known.settle(isSettled),
    report(found) {
      hasMetDamage = true;
      return known.report(found);
    },
  };
  return {
    /** What the loader reports damage to, so that nobody is told that a record has arrived that can't be read. */
    damage,
    noteUnsure: (): void => waits?.noteUnsure(),
    /** The store has everything before this place that could be read. */
    tell(readTo: () => JournalPosition): void {
      if (waits === undefined) return;
      const isWhole = !hasMetDamage;
      hasMetDamage = false;
      waits.noteLoaded(readTo(), isWhole);
    },
  };
}
