import { firstKeptDay } from '@trackside/contract/calendar/first-kept-day.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { DaysBefore } from '../store/removals.ts';
import { createSettledClock } from '../time/settled-clock.ts';
import { drainLoader, type RemovalParts } from './removal-parts.ts';
import { retryWhileStoreAway } from './retry-while-store-away.ts';

/** The last time that this process removed records of a website because of their age. */
export type RetentionRun = {
  at: number;
  /** The oldest day that was kept. */
  keptFrom: string;
  removedRecords: number;
};

const patienceMs = 5 * 60_000;
const againAfterMs = 60_000;

/**
 * Removes records that have become too old, once for each local day of a website, and once after the start. A
 * retention that is set during a day takes effect on the next day, so that a mistake can be corrected.
 */
export function runRetention(
  options: RemovalParts & {
    /**
     * For this long after the start, and after the clock was set, nothing is too old, because the clock may
     * be wrong.
     */
    settleMs: number;
  },
) {
  const { websiteCache, store, days, clock, log, signal } = options;
  const patiently = retryWhileStoreAway({ clock, patienceMs, signal });
  const settledNow = createSettledClock(clock, options.settleMs);
  const localTimes = new Map<string, ReturnType<typeof createLocalTime>>();
  const enforcedOn = new Map<number, string>();
  const runs = new Map<number, RetentionRun>();
  let notBeforeMs = Number.NEGATIVE_INFINITY;

  function dayAt(timezone: string, ms: number): string {
    const localTime = localTimes.get(timezone) ?? createLocalTime(timezone);
    localTimes.set(timezone, localTime);
    return localTime(ms).day;
  }

  /** Handles all that are due together, because the cost for the store hardly depends on their number. */
  async function enforce(due: readonly DaysBefore[]): Promise<void> {
    await drainLoader(options);
    const removed = await patiently(() => store.countRecordsBefore(due));
    await patiently(() => store.removeRecordsBefore(due));
    await days.inTurn(() => patiently(() => store.removeDaysBefore(due)));
    for (const { websiteId, beforeDay } of due) {
      const removedRecords = removed.find((row) => row.websiteId === websiteId)?.records ?? 0;
      runs.set(websiteId, { at: clock.now(), keptFrom: beforeDay, removedRecords });
      if (removedRecords === 0) continue;
      const told = { website: websiteId, keptFrom: beforeDay, records: removedRecords };
      log.info(told, 'removed records that are too old');
    }
  }

  return {
    /** Undefined before the first run. */
    lastRun: (id: number): RetentionRun | undefined => runs.get(id),
    async catchUp(): Promise<void> {
      const nowMs = settledNow();
      if (nowMs === undefined || clock.monotonicMs() < notBeforeMs) return;
      const due = websiteCache
        .list()
        .filter(({ deletingSince }) => deletingSince === null)
        .map((website) => ({ website, today: dayAt(website.timezone, nowMs) }))
        .filter(({ website, today }) => enforcedOn.get(website.id) !== today);
      const toEnforce = due.flatMap(({ website: { id, retentionDays }, today }) =>
        retentionDays === null ? [] : [{ websiteId: id, beforeDay: firstKeptDay(today, retentionDays) }],
      );
      try {
        if (toEnforce.length > 0) await enforce(toEnforce);
        for (const { website, today } of due) enforcedOn.set(website.id, today);
      } catch (error) {
        notBeforeMs = clock.monotonicMs() + againAfterMs;
        if (!signal.aborted)
          log.error(
            { err: error },
            'records that are too old could not be removed: trying again in a minute',
          );
      }
    },
  };
}
