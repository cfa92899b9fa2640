import type { Control } from '../control/open-control.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import type { Log } from '../log.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import type { Store } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';

/** What everything that removes data needs. */
export type DataParts = {
  control: Pick<Control, 'erasures' | 'transact'>;
  websiteCache: Pick<WebsiteCache, 'get' | 'list' | 'erasures' | 'refresh'>;
  store: Pick<Store, 'ofWebsite' | 'countRecordsBefore' | 'removeRecordsBefore' | 'removeDaysBefore'>;
  days: Pick<DayBuilder, 'inTurn' | 'forgetVisitor'>;
  /** Brings the records that the website cache wants into the store. */
  loader: {
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
