import type { Log } from '../../log.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type LookParts, lookBack } from './look-back.ts';

/** A website that is being looked back at. */
type Looking = { done: Promise<void>; isDueAgain: boolean };

/** Finds out who was there before, on days that were built, one look at a time for each website. */
export function createLooks({ log, ...parts }: LookParts & { log: Log }) {
  const underWay = new Map<number, Looking>();

  async function lookUntilDone(website: WebsiteStore, today: string, looking: Looking): Promise<void> {
    const { websiteId } = website;
    try {
      do {
        looking.isDueAgain = false;
        await lookBack(parts, website, today);
      } while (looking.isDueAgain && !parts.isStopping());
    } catch (error) {
      // Questions look at the visits instead.
      if (!parts.isStopping())
        log.error({ err: error, website: websiteId }, 'looking for returning visitors failed');
    } finally {
      underWay.delete(websiteId);
    }
  }

  return {
    /** Returns when it is known of the days as they are now, or can't be found out. */
    look(website: WebsiteStore, today: string): Promise<void> {
      const known = underWay.get(website.websiteId);
      if (known !== undefined) {
        // It may have begun before the days were built.
        known.isDueAgain = true;
        return known.done;
      }
      const looking: Looking = { done: Promise.resolve(), isDueAgain: false };
      underWay.set(website.websiteId, looking);
      looking.done = lookUntilDone(website, today, looking);
      return looking.done;
    },
  };
}
