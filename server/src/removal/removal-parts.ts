import type { Control } from '../control/open-control.ts';
import type { WrittenErasure } from '../control/privacy/erasures.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import type { Log } from '../log.ts';
import type { JournalPosition } from '../records/journal-position.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import type { Patiently } from './retry-while-store-away.ts';

/** Where the journal of each worker ends. */
export type JournalEnds = readonly (JournalPosition & { worker: number })[];

/** What everything that removes data needs. */
export type RemovalParts = {
  control: Pick<Control, 'erasures' | 'transact'> & { websites: Pick<Control['websites'], 'lostIds'> };
  websiteCache: Pick<WebsiteCache, 'get' | 'list' | 'erasures' | 'refresh'>;
  store: Pick<Store, 'ofWebsite' | 'countRecordsBefore' | 'removeRecordsBefore' | 'removeDaysBefore'>;
  days: Pick<DayBuilder, 'inTurn' | 'forgetVisitors'>;
  /** Brings the records that the website cache wants into the store. */
  loader: {
    /**
     * The ends of the journals. Undefined while a record that came at least this long ago waits for the disk.
     */
    receivedTo(agoMs: number): Promise<JournalEnds | undefined>;
    /**
     * Whether the store has everything before these places in the journals, and everything that other nodes
     * received by this time.
     */
    isLoadedTo(ends: JournalEnds, receivedByMs: number): Promise<boolean>;
    /**
     * Settles when no row is still on its way into the store that was read before now, or by what other
     * workers and nodes knew before now. Throws StoreAway if a node doesn't confirm that in time.
     */
    batchEnded(): Promise<void>;
  };
  /**
   * Notes an erasure where backups are kept, so that a restore repeats it. Returns whether all places have it.
   * Never throws.
   */
  noteErasure(erasure: WrittenErasure): Promise<boolean>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
};

/**
 * Once this returns, rows that the website cache no longer wants don't come in anymore, and can be removed.
 */
export async function drainLoader({
  websiteCache,
  loader,
}: Pick<RemovalParts, 'websiteCache' | 'loader'>): Promise<void> {
  await websiteCache.refresh();
  await loader.batchEnded();
}

/** Returns when all records that were received before this call, or by this time, are in the store. */
export async function untilLoaded(
  { loader, clock }: Pick<RemovalParts, 'loader' | 'clock'>,
  patiently: Patiently,
  byMs: number,
): Promise<void> {
  const beganMs = clock.monotonicMs();
  const receivedByMs = Math.max(byMs, clock.now());
  const positions = await patiently(async () => {
    const ends = await loader.receivedTo(clock.monotonicMs() - beganMs);
    if (ends === undefined) throw new Error('records wait for the disk');
    return ends;
  });
  await patiently(async () => {
    if (!(await loader.isLoadedTo(positions, receivedByMs)))
      throw new Error('records are on their way into the store');
  });
}
