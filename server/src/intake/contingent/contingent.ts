import { limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import type { SettledUsage, Usage } from '../../control/websites/usage.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { Log } from '../../log.ts';
import type { JournalPosition } from '../../records/journal-position.ts';
import type { Clock } from '../../time/clock.ts';
import type { Refusal } from '../refusal.ts';
import type { Valid } from '../steps/validate.ts';
import type { Tally } from '../tally/open-tally.ts';
import { countJournal } from './count-journal.ts';
import { createLeases, type Limited } from './leases.ts';
import type { MonthCount } from './month-count.ts';
import { monthOf, type UtcMonth } from './utc-month.ts';

export type Allowance = { limit: number; remaining: number; secondsToReset: number };

export type ContingentOptions = {
  node: string;
  /** Whether other nodes may use the same contingents. If not, this node has all of them. */
  isShared: boolean;
  usage: Usage;
  journal: { folder: string; segments: () => readonly { number: number; firstFrame: number; end: number }[] };
  answeredTo: () => JournalPosition;
  /** What else is counted, and written down together with the usage. */
  tally?: Pick<Tally, 'take' | 'confirm'> | undefined;
  clock: Clock;
  log: Log;
};

export type Contingent = Awaited<ReturnType<typeof openContingent>>;

/**
 * Counts accepted records per website and UTC month. A record reserves its place before it is written and
 * settles it once it is on disk, so the limit holds exactly while many are in progress. After a crash, the
 * count is the last checkpoint plus the journal after it, which has every record that was ever acknowledged.
 * Alone, this node has the whole allowance. With several nodes, it accepts only what it has leased.
 */
export async function openContingent(options: ContingentOptions) {
  const { node, usage, isShared, clock, log } = options;
  const leases = createLeases({ node, usage, clock });
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
  for (const { websiteId, month, records } of checkpointed.leased)
    leases.resume(countOf(websiteId, month), records);
  countElsewhere(checkpointed.elsewhere);
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
  /** A checkpoint that may or may not have been written. */
  let unsure: Parameters<Usage['checkpoint']>[0] | undefined;
  const inTurn = limitConcurrency({ places: 1, maxWaiting: Number.POSITIVE_INFINITY });
  let current: UtcMonth = monthOf(clock.now());

  const monthAt = (ms: number): UtcMonth => {
    if (ms < current.startsAt || ms >= current.endsAt) current = monthOf(ms);
    return current;
  };

  function countElsewhere(elsewhere: readonly SettledUsage[]): void {
    for (const { websiteId, month, records } of elsewhere) countOf(websiteId, month).elsewhere += records;
  }

  /** Only this month is read, because the usage of past months becomes more and more. */
  async function countElsewhereAgain(): Promise<void> {
    const month = monthAt(clock.now()).name;
    const elsewhere = await usage.elsewhere(node, month);
    for (const count of counts.get(month)?.values() ?? []) count.elsewhere = 0;
    countElsewhere(elsewhere);
  }

  /** Returns how many records this node may accept. */
  const limitOf = (count: MonthCount, contingent: number): number =>
    isShared ? Math.min(leases.leased(count), contingent) : contingent - count.elsewhere;

  async function write(checkpoint: Parameters<Usage['checkpoint']>[0]): Promise<void> {
    await usage.checkpoint(checkpoint);
    unsure = undefined;
    covered = checkpoint.position;
    if (checkpoint.tally !== undefined) options.tally!.confirm(checkpoint.tally);
  }

  return {
    /** Whether `ask` must come before that many places are reserved. */
    mustAsk: (website: Limited, nowMs: number, records = 1): boolean =>
      isShared && leases.mustAsk(countOf(website.id, monthAt(nowMs).name), website, records),
    /** Asks control for a share of the contingent. Returns false if control can't be asked. */
    ask: (website: Limited, nowMs: number, records = 1): Promise<boolean> =>
      leases.ask(countOf(website.id, monthAt(nowMs).name), website, records),
    /** Gives back shares that were not needed for this long. */
    giveBack: async (idleMs: number): Promise<void> => {
      if (isShared) await leases.giveBack(idleMs);
    },
    /** Reserves a place for one record. Returns undefined if the month's contingent is used up. */
    reserve(website: Limited, nowMs: number): MonthCount | undefined {
      const count = countOf(website.id, monthAt(nowMs).name);
      if (website.contingent !== null && count.reserved >= limitOf(count, website.contingent)) {
        count.refused += 1;
        return undefined;
      }
      count.reserved += 1;
      if (isShared) leases.noteUse(count, website);
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
    allowance(website: Limited, nowMs: number): Allowance | undefined {
      if (website.contingent === null) return undefined;
      const month = monthAt(nowMs);
      const count = countOf(website.id, month.name);
      const elsewhere = isShared ? Math.max(count.elsewhere, leases.elsewhere(count)) : count.elsewhere;
      return {
        limit: website.contingent,
        remaining: Math.max(0, website.contingent - count.reserved - elsewhere),
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
    /** Returns how many records were refused this month since the start, for each website that had any. */
    refused: (nowMs: number): [websiteId: number, records: number][] =>
      [...(counts.get(monthAt(nowMs).name)?.values() ?? [])]
        .filter(({ refused }) => refused > 0)
        .map(({ websiteId, refused }) => [websiteId, refused]),
    /**
     * Saves the settled counts and the tally, with the position in the journal up to which they are complete.
     * One that failed is tried again as it was, because it may have been written all the same.
     */
    checkpoint: (): Promise<void> =>
      inTurn(async () => {
        if (isShared) await countElsewhereAgain();
        if (unsure !== undefined) await write(unsure);
        const position = options.answeredTo();
        const changed = [...dirty];
        const tally = options.tally?.take();
        if (changed.length === 0 && tally === undefined && covered !== undefined) return;
        dirty.clear();
        const settled = changed.map((count) => ({ ...count, records: count.settled }));
        unsure = { node, position, settled, tally };
        await write(unsure);
      }),
    /** The journal before this position is no longer needed for counting. */
    covered: (): JournalPosition | undefined => covered,
  };
}

/** A valid record with a place in the month's contingent, which is settled or released later. */
export type Admitted<Place = MonthCount> = {
  website: CachedWebsite;
  valid: Valid;
  receivedAtMs: number;
  /** How long before its arrival it happened. */
  waitedMs: number;
  place: Place;
};

/** Creates the intake step that admits a record, or refuses it if the contingent is used up. */
export function createAdmit(contingent: Contingent) {
  return (website: CachedWebsite, valid: Valid, nowMs: number, waitedMs: number): Admitted | Refusal => {
    // A record counts in the month of its arrival, because the month in which it happened may be over.
    const place = contingent.reserve(website, nowMs);
    if (place === undefined) return contingentUsedUp(website);
    return { website, valid, receivedAtMs: nowMs, waitedMs, place };
  };
}

export function contingentUsedUp({ contingent }: { contingent: number | null }): Refusal {
  const records = contingent === 1 ? '1 record' : `${contingent} records`;
  return {
    refused: 'contingent-used-up',
    message: `Monthly contingent of ${records} is used up until the first of next month, UTC`,
  };
}
