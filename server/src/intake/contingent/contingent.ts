import type { Usage } from '../../control/websites/usage.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Log } from '../../log.ts';
import type { JournalPosition } from '../../records/journal-position.ts';
import type { Clock } from '../../time/clock.ts';
import type { Refusal } from '../refusal.ts';
import type { Valid } from '../steps/validate.ts';
import { countJournal } from './count-journal.ts';
import { monthOf, type UtcMonth } from './utc-month.ts';

/** The records of one website in one month. `reserved` includes those that are not on disk yet. */
export type MonthCount = {
  websiteId: number;
  month: string;
  reserved: number;
  settled: number;
  /** Records counted by other nodes. The number does not change while this is the only node. */
  elsewhere: number;
  /** Records that this process has refused because the contingent was used up. Not kept across starts. */
  refused: number;
};

export type Allowance = { limit: number; remaining: number; secondsToReset: number };

export type ContingentOptions = {
  node: string;
  usage: Usage;
  journal: { folder: string; segments: () => readonly { number: number; firstFrame: number; end: number }[] };
  answeredTo: () => JournalPosition;
  clock: Clock;
  log: Log;
};

export type Contingent = Awaited<ReturnType<typeof openContingent>>;

/**
 * Counts accepted records per website and UTC month. A record reserves its place before it is written and
 * settles it once it is on disk, so the limit holds exactly while many are in progress. After a crash, the
 * count is the last checkpoint plus the journal after it, which has every record that was ever acknowledged.
 * This node has the whole allowance. With several nodes, `reserve` would draw on a lease instead.
 */
export async function openContingent(options: ContingentOptions) {
  const { node, usage, clock, log } = options;
  // Past months are kept, because a clock that was wrong for a while returns to them.
  const counts = new Map<string, Map<number, MonthCount>>();
  const dirty = new Set<MonthCount>();

  const countOf = (websiteId: number, month: string): MonthCount => {
    let ofMonth = counts.get(month);
    if (ofMonth === undefined) {
      ofMonth = new Map();
      counts.set(month, ofMonth);
    }
    let count = ofMonth.get(websiteId);
    if (count === undefined) {
      count = { websiteId, month, reserved: 0, settled: 0, elsewhere: 0, refused: 0 };
      ofMonth.set(websiteId, count);
    }
    return count;
  };

  const checkpointed = await usage.read(node);
  for (const { websiteId, month, records } of checkpointed.settled) {
    const count = countOf(websiteId, month);
    count.reserved = count.settled = records;
  }
  for (const { websiteId, month, records } of checkpointed.elsewhere) {
    countOf(websiteId, month).elsewhere += records;
  }
  const inJournal = countJournal(options.journal, checkpointed.position, (segment, error) =>
    log.error(
      { err: error, segment },
      'a journal segment cannot be read: monthly usage may be counted too low',
    ),
  );
  for await (const { websiteId, month, records } of inJournal) {
    const count = countOf(websiteId, month);
    count.settled += records;
    count.reserved = count.settled;
    dirty.add(count);
  }
  let covered = checkpointed.position;
  let current: UtcMonth = monthOf(clock.now());

  const monthAt = (ms: number): UtcMonth => {
    if (ms < current.startsAt || ms >= current.endsAt) current = monthOf(ms);
    return current;
  };

  return {
    /** Reserves a place for one record. Returns undefined if the month's contingent is used up. */
    reserve(website: { id: number; contingent: number | null }, nowMs: number): MonthCount | undefined {
      const count = countOf(website.id, monthAt(nowMs).name);
      if (website.contingent !== null && count.reserved + count.elsewhere >= website.contingent) {
        count.refused += 1;
        return undefined;
      }
      count.reserved += 1;
      return count;
    },
    settle(count: MonthCount): void {
      count.settled += 1;
      dirty.add(count);
    },
    release(count: MonthCount): void {
      count.reserved -= 1;
    },
    /** Returns the numbers for the answer's headers, or undefined for a website without a limit. */
    allowance(website: { id: number; contingent: number | null }, nowMs: number): Allowance | undefined {
      if (website.contingent === null) return undefined;
      const month = monthAt(nowMs);
      const { reserved, elsewhere } = countOf(website.id, month.name);
      return {
        limit: website.contingent,
        remaining: Math.max(0, website.contingent - reserved - elsewhere),
        secondsToReset: Math.ceil((month.endsAt - nowMs) / 1000),
      };
    },
    /**
     * Returns how many records were accepted this month, with or without a limit, how many were refused since
     * the start, and when the next month begins.
     */
    usage(websiteId: number, nowMs: number): { used: number; refused: number; resetsAtMs: number } {
      const month = monthAt(nowMs);
      const count = counts.get(month.name)?.get(websiteId);
      const used = (count?.settled ?? 0) + (count?.elsewhere ?? 0);
      return { used, refused: count?.refused ?? 0, resetsAtMs: month.endsAt };
    },
    /** Saves the settled counts, with the position in the journal up to which they are complete. */
    async checkpoint(): Promise<void> {
      const position = options.answeredTo();
      const changed = [...dirty];
      if (changed.length === 0 && covered !== undefined) return;
      dirty.clear();
      try {
        await usage.checkpoint({
          node,
          position,
          settled: changed.map(({ websiteId, month, settled }) => ({ websiteId, month, records: settled })),
        });
      } catch (error) {
        for (const count of changed) dirty.add(count);
        throw error;
      }
      covered = position;
    },
    /** The journal before this position is no longer needed for counting. */
    covered: (): JournalPosition | undefined => covered,
  };
}

/** A valid record with a place in the month's contingent, which is settled or released later. */
export type Admitted = { website: CachedWebsite; valid: Valid; receivedAtMs: number; place: MonthCount };

/** Creates the intake step that admits a record, or refuses it if the contingent is used up. */
export function createAdmit(contingent: Contingent) {
  return (website: CachedWebsite, valid: Valid, nowMs: number): Admitted | Refusal => {
    const place = contingent.reserve(website, nowMs);
    if (place !== undefined) return { website, valid, receivedAtMs: nowMs, place };
    const records = website.contingent === 1 ? '1 record' : `${website.contingent} records`;
    return {
      refused: 'contingent-used-up',
      message: `Monthly contingent of ${records} is used up until the first of next month, UTC`,
    };
  };
}
