import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import type { BuildQueue } from './build-queue.ts';
import { nameDayRules } from './day-rules.ts';
import { type BuiltBy, findBuiltBy, listDaysBuiltBy } from './find-built-by.ts';
import { type DayState, readDays } from './read-days.ts';

type Parts = {
  store: Pick<Store, 'ofWebsite' | 'query'>;
  queue: Pick<BuildQueue, 'buildOnce'>;
  rulesOf: (websiteId: number) => AddressRules | undefined;
  /** How many records are built at once. A day that has more is built on its own. */
  recordsPerSlice: number;
  isStopping: () => boolean;
  log: Log;
};

const daysAtOnce = 30;

/**
 * Rebuilds days that were built by other rules than the current ones, the latest first, as many at a time as
 * one statement can hold. Their old numbers are shown until then, so nobody waits for this.
 */
export async function rebuildOutdated(parts: Parts, today: string): Promise<void> {
  const { store, queue, rulesOf, recordsPerSlice, isStopping, log } = parts;
  const isOutdated = ({ websiteId, rules }: BuiltBy) => {
    const current = rulesOf(websiteId);
    return current !== undefined && rules !== nameDayRules(current);
  };
  for (const { websiteId, rules } of (await findBuiltBy(store)).filter(isOutdated)) {
    await rebuildBy(websiteId, rules).catch((error: unknown) => {
      // The other websites come next, whatever is wrong with this one.
      if (!isStopping())
        log.warn(
          { err: error, website: websiteId },
          'days that were built by earlier rules stay as they are',
        );
    });
    if (isStopping()) return;
  }

  async function rebuildBy(websiteId: number, rules: string): Promise<void> {
    const website = store.ofWebsite(websiteId);
    const days = await listDaysBuiltBy(website, rules);
    log.info(
      { website: websiteId, days: days.length },
      'recalculating days that were built by earlier rules',
    );
    for (let end = days.length; end > 0; ) {
      if (isStopping()) return;
      const some = days.slice(Math.max(0, end - daysAtOnce), end);
      const states = await readDays(website, { from: some[0]!, to: some.at(-1)! });
      const wanted = states.filter(({ day }) => some.includes(day));
      const part = takeLatest(wanted, recordsPerSlice);
      await queue.buildOnce(website, part, today, true);
      // A website that is deleted in the meantime no longer has any of these days.
      end = part.length === 0 ? end - some.length : days.indexOf(part[0]!.day);
    }
    log.info({ website: websiteId, days: days.length }, 'recalculated days that were built by earlier rules');
  }
}

/** Returns the latest days that have no more records than this together, and at least one day. */
function takeLatest(days: readonly DayState[], maxRecords: number): DayState[] {
  let records = 0;
  const first = days.findLastIndex((state) => {
    records += state.records;
    return records > maxRecords;
  });
  return days.slice(Math.min(first + 1, days.length - 1));
}
