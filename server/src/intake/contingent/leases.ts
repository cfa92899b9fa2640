import type { Usage } from '../../control/websites/usage.ts';
import type { Clock } from '../../time/clock.ts';
import type { MonthCount } from './month-count.ts';

export type Limited = { id: number; contingent: number | null };

/** How long the answer that nothing is left holds. Another node may give something back. */
const usedUpMs = 1_000;
/** Bounds the memory of records that wait while the database is slow. */
const maxWaiting = 2_000;

/** What this node has of one website's contingent of a month. */
type Share = {
  /** How many records this node may accept, and how many all others may. */
  leased: number;
  elsewhere: number;
  /** The highest contingent since it was leased. Other nodes may have leased under it too. */
  limit: number;
  /** Set while it is known that no more can be leased under this limit. */
  usedUp: { limit: number; untilMs: number } | undefined;
  /** How many records wait for the answer to the question that is being asked. */
  waiting: number;
  asking: Promise<void> | undefined;
  /** Whether the database may have another number, because a change of it was not answered. */
  isUnsure: boolean;
  /** When a place was last reserved, by the monotonic clock. */
  usedAtMs: number;
};

/**
 * What this node may accept of contingents that it shares with other nodes. A lease is a share of the month's
 * contingent that no other node can use. All leases together never exceed the contingent, so nothing that
 * happens to a node or to the database can make the nodes accept too much. This node never assumes that it
 * has more than the database says. When the contingent is lowered, it asks again before it accepts more.
 */
export function createLeases(parts: { node: string; usage: Usage; clock: Clock }) {
  const { node, usage, clock } = parts;
  const shares = new Map<MonthCount, Share>();
  let waiting = 0;
  /** Leases are changed one after another, because a change replaces the number in the database. */
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };

  const shareOf = (count: MonthCount): Share => {
    let share = shares.get(count);
    if (share === undefined) {
      share = {
        leased: 0,
        elsewhere: 0,
        limit: 0,
        usedUp: undefined,
        waiting: 0,
        asking: undefined,
        isUnsure: false,
        usedAtMs: 0,
      };
      shares.set(count, share);
    }
    return share;
  };

  async function askControl(count: MonthCount, share: Share, limit: number): Promise<void> {
    const { websiteId, month, reserved } = count;
    // A share of a higher contingent may be more than is left. It is given up before that is written down,
    // because others may use it from that moment on.
    if (limit < share.limit) share.leased = Math.min(share.leased, reserved);
    const held = Math.max(share.leased, reserved);
    const needed = reserved + Math.max(1, share.waiting);
    share.isUnsure = true;
    const { leased, elsewhere } = await usage.lease({ node, websiteId, month, held, needed, limit });
    share.isUnsure = false;
    share.leased = leased;
    share.elsewhere = elsewhere;
    share.limit = limit;
    const isUsedUp = leased < needed;
    share.usedUp = isUsedUp ? { limit, untilMs: clock.monotonicMs() + usedUpMs } : undefined;
  }

  return {
    /** Continues with what the node had before it was started. The contingent may have been lowered since. */
    resume(count: MonthCount, leased: number): void {
      Object.assign(shareOf(count), { leased, limit: Number.POSITIVE_INFINITY });
    },
    leased: (count: MonthCount): number => shareOf(count).leased,
    elsewhere: (count: MonthCount): number => shareOf(count).elsewhere,
    noteUse(count: MonthCount, { contingent }: Limited): void {
      const share = shareOf(count);
      share.usedAtMs = clock.monotonicMs();
      share.limit = Math.max(share.limit, contingent ?? Number.POSITIVE_INFINITY);
    },

    /** Whether only the database can say if that many more records can be accepted. */
    mustAsk(count: MonthCount, { contingent }: Limited, records: number): boolean {
      if (contingent === null || count.reserved >= contingent) return false;
      const { leased, limit, usedUp } = shareOf(count);
      if (contingent < limit) return true;
      if (count.reserved + records <= leased || contingent <= leased) return false;
      return usedUp === undefined || usedUp.limit !== contingent || clock.monotonicMs() >= usedUp.untilMs;
    },

    /** Returns when the question is answered. False means that it can't be answered at the moment. */
    async ask(count: MonthCount, { contingent }: Limited, records: number): Promise<boolean> {
      if (waiting >= maxWaiting) return false;
      const share = shareOf(count);
      waiting += records;
      share.waiting += records;
      try {
        // All that wait for the same contingent ask once.
        share.asking ??= inOrder(() => askControl(count, share, contingent ?? 0)).finally(() => {
          share.asking = undefined;
        });
        await share.asking;
        return true;
      } catch {
        return false;
      } finally {
        waiting -= records;
        share.waiting -= records;
      }
    },

    /** Gives back what was not needed for this long, so that other nodes can use it. */
    async giveBack(idleMs: number): Promise<void> {
      const findIdle = () =>
        [...shares].filter(
          ([count, { leased, isUnsure, asking, usedAtMs }]) =>
            (leased > count.reserved || (isUnsure && asking === undefined)) &&
            clock.monotonicMs() - usedAtMs >= idleMs,
        );
      const [first] = findIdle();
      if (first === undefined) return;
      await inOrder(async () => {
        // Without the database, the lease is all that this node has, so it is kept.
        await usage.usedOf(first[0].websiteId, first[0].month);
        const idle = findIdle();
        // As in `askControl`, it is given up before that is written down.
        for (const [count, share] of idle) Object.assign(share, { leased: count.reserved, isUnsure: true });
        await usage.giveBack(
          node,
          idle.map(([{ websiteId, month }, { leased }]) => ({ websiteId, month, leased })),
        );
        for (const [, share] of idle) share.isUnsure = false;
      });
    },
  };
}
