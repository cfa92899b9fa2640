import type { WebsiteStore } from '../../store/website-store.ts';
import { type DayState, isFresh } from './read-days.ts';

export type AsOf = ReturnType<typeof createAsOf>;

const maxKept = 10_000;

/**
 * Determines up to when everything that was received is counted in days. It uses only what the store has, so
 * the result is the same on every node, and after a restart.
 */
export function createAsOf() {
  /** For builds that lack records: when the first record was received that may be missing. */
  const firstMissingMs = new Map<string, number>();

  /** Builds of another node are not forgotten here when they are replaced. */
  function remember(build: string, ms: number): void {
    firstMissingMs.set(build, ms);
    if (firstMissingMs.size > maxKept) firstMissingMs.delete(firstMissingMs.keys().next().value!);
  }

  async function findFirstMissing(store: WebsiteStore, state: DayState, completeMs: number): Promise<number> {
    const { build, asOfMs } = state.built!;
    const known = firstMissingMs.get(build);
    if (known !== undefined) return known;
    const found = await firstReceivedAfter(store, state.day, asOfMs);
    // An earlier one may still be on its way into the store.
    if (found <= completeMs) remember(build, found);
    return found;
  }

  return {
    /**
     * The time up to which these days have all records. `completeMs` was noted before they were read: the
     * store had everything that was received by then.
     */
    async ofDays(store: WebsiteStore, days: readonly DayState[], completeMs: number): Promise<number> {
      const stale = days.filter((state) => state.built !== undefined && !isFresh(state));
      const missing = await Promise.all(stale.map((state) => findFirstMissing(store, state, completeMs)));
      return Math.min(completeMs, ...missing.map((ms) => ms - 1));
    },
    /** Forgets a build that another one has replaced. */
    forget(build: string): void {
      firstMissingMs.delete(build);
    },
  };
}

/** Returns when the first record of a day after a time was received. Infinity if there is none. */
async function firstReceivedAfter(store: WebsiteStore, day: string, afterMs: number): Promise<number> {
  const rows = await store.query<{ first_ms: number }>({
    query: `
      select toUnixTimestamp64Milli(min(received_at)) as first_ms
      from records
      where website_id = {website_id:UInt32} and day = {day:Date}
        and received_at > fromUnixTimestamp64Milli({after:Int64})
      having count() > 0`,
    params: { day, after: afterMs },
    isQuick: true,
  });
  return Number(rows[0]?.first_ms ?? Number.POSITIVE_INFINITY);
}
