import type { Website } from '../../control/websites/website-row.ts';
import type { LiveWatcher } from '../../stats/live/watch-live.ts';
import { AppFault } from './app-fault.ts';
import type { EventStream } from './open-event-stream.ts';

export type LiveLimits = {
  /** The number of streams on this node. */
  all: number;
  /** How many of them may come from public links. The rest is reserved for users. */
  byLinks: number;
  /** The number of streams of one user, or of one link. */
  ofOne: number;
};

export type LiveStreams = ReturnType<typeof createLiveStreams>;

type Wish = {
  website: Website;
  /** A user, or undefined for a visitor of the website's public link. */
  userId: number | undefined;
  isStillAllowed: () => Promise<boolean>;
};

/**
 * Keeps the open live views. Each is sent what happens at its website, for as long as its viewer has access.
 */
export function createLiveStreams(parts: {
  watcher: Pick<LiveWatcher, 'follow'>;
  limits: LiveLimits;
  /** How often each stream's access is checked. Every second check also sends a beat. */
  checkMs: number;
}) {
  const { watcher, limits, checkMs } = parts;
  const streams = new Set<EventStream>();
  const countOf = new Map<string, number>();
  let byLinks = 0;
  let isStopped = false;

  const keyOf = ({ website, userId }: Wish) =>
    userId === undefined ? `link ${website.id}` : `user ${userId}`;

  function checkRoom(wish: Wish): void {
    const isFull =
      streams.size >= limits.all || (wish.userId === undefined && byLinks >= limits.byLinks) || isStopped;
    if (!isFull && (countOf.get(keyOf(wish)) ?? 0) < limits.ofOne) return;
    throw new AppFault('too-many-live-views', 'Too many live views are open. Try again later.', {
      headers: { 'Retry-After': '30' },
    });
  }

  function count(stream: EventStream, wish: Wish): void {
    const key = keyOf(wish);
    const link = wish.userId === undefined ? 1 : 0;
    streams.add(stream);
    countOf.set(key, (countOf.get(key) ?? 0) + 1);
    byLinks += link;
    stream.onClose(() => {
      streams.delete(stream);
      byLinks -= link;
      const left = countOf.get(key)! - 1;
      if (left === 0) countOf.delete(key);
      else countOf.set(key, left);
    });
  }

  function keepChecking(stream: EventStream, { isStillAllowed }: Wish): void {
    let checks = 0;
    const timer = setInterval(async () => {
      checks += 1;
      if (checks % 2 === 0) stream.beat();
      if (!(await isStillAllowed().catch(() => false))) stream.close();
    }, checkMs).unref();
    stream.onClose(() => clearInterval(timer));
  }

  return {
    /** Opens a stream unless there are too many. */
    open(wish: Wish, open: () => EventStream): void {
      checkRoom(wish);
      const stream = open();
      count(stream, wish);
      keepChecking(stream, wish);
      const leave = watcher.follow(wish.website, {
        onScene: (json) => stream.send('scene', json),
        onAway: (json) => stream.send('away', json),
      });
      stream.onClose(leave);
    },
    count: () => streams.size,
    /** Closes all streams at once, and opens no more. */
    stop(): void {
      isStopped = true;
      for (const stream of streams) stream.close();
    },
  };
}
