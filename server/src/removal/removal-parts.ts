import type { Control } from '../control/open-control.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import type { Log } from '../log.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';

/** What all that removes data needs. */
export type DataParts = {
  control: Pick<Control, 'erasures' | 'transact'>;
  websiteCache: Pick<WebsiteCache, 'get' | 'list' | 'erasures' | 'refresh'>;
  store: Pick<Store, 'ofWebsite' | 'countRecordsBefore' | 'removeRecordsBefore' | 'removeDaysBefore'>;
  days: Pick<DayBuilder, 'inTurn' | 'forgetVisitor'>;
  /** What brings records into the store, from what the website cache wants. */
  loader: {
    /** Settles when no row that was read before now is on its way into the store any more. */
    batchEnded(): Promise<void>;
  };
  clock: Clock;
  log: Log;
  signal: AbortSignal;
};

/**
 * Rows that the website cache does not want any more come in no longer once this returns, and can be removed.
 */
export async function untilUnwanted({
  websiteCache,
  loader,
}: Pick<DataParts, 'websiteCache' | 'loader'>): Promise<void> {
  await websiteCache.refresh();
  await loader.batchEnded();
}
