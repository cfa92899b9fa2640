import type { Control } from '../control/open-control.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import type { Log } from '../log.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import type { Patiently } from './retry-while-store-away.ts';

/** What everything that removes data needs. */
export type DataParts = {
  control: Pick<Control, 'erasures' | 'transact'>;
  websiteCache: Pick<WebsiteCache, 'get' | 'list' | 'erasures' | 'refresh'>;
  store: Pick<Store, 'ofWebsite' | 'countRecordsBefore' | 'removeRecordsBefore' | 'removeDaysBefore'>;
  days: Pick<DayBuilder, 'inTurn' | 'forgetVisitors'>;
  /** Brings the records that the website cache wants into the store. */
  loader: {
    /**
     * The end of the journal. Undefined while a record that came at least this long ago waits for the disk.
     */
    receivedTo(agoMs: number): JournalPosition | undefined;
    /** Whether the store has everything before a place in the journal. */
    isLoadedTo(position: JournalPosition): Promise<boolean>;
    /** Settles when no row that was read before now is still on its way into the store. */
    batchEnded(): Promise<void>;
  };
  clock: Clock;
  log: Log;
  signal: AbortSignal;
};

/**
 * Once this returns, rows that the website cache no longer wants don't come in anymore, and can be removed.
 */
export async function untilUnwanted({
  websiteCache,
  loader,
}: Pick<DataParts, 'websiteCache' | 'loader'>): Promise<void> {
  await websiteCache.refresh();
  await loader.batchEnded();
}

/** Returns when all records that were received before this call are in the store. */
export async function untilLoaded(
  { loader, clock }: Pick<DataParts, 'loader' | 'clock'>,
  patiently: Patiently,
): Promise<void> {
  const beganMs = clock.monotonicMs();
  const position = await patiently(async () => {
    const end = loader.receivedTo(clock.monotonicMs() - beganMs);
    if (end === undefined) throw new Error('records wait for the disk');
    return end;
  });
  await patiently(async () => {
    if (!(await loader.isLoadedTo(position))) throw new Error('records are on their way into the store');
  });
}
