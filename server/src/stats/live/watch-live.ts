import type { StatsFaultCode } from '@trackside/contract/stats/fault-codes.ts';
import { limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import type { WithAsOf } from '../plan/create-kinds.ts';
import type { LiveScene } from '../reports/ask-live-scene.ts';

export type LiveListener = {
  /** The scene as JSON, which is written once for all listeners. */
  onScene(json: string): void;
  /**
   * Called when the store does not answer, with JSON of `fault` and `message`. The next scene shows that it
   * answers again.
   */
  onAway(json: string): void;
};

export type LiveWatcher = ReturnType<typeof watchLive>;

type News = {
  kind: 'scene' | 'away';
  text: string;
  /** The part that has to change before it is news. */
  content: string;
};
type Watched = {
  website: Website;
  listeners: Set<LiveListener>;
  news: News | undefined;
  toldAtMs: number;
};

/** How long a website rests after a question, as a multiple of how long that question took. */
const restPerWork = 5;
const longestRestMs = 30_000;

/**
 * Watches each website that someone listens to, with one question at a time for all of its listeners, and
 * tells them when something has changed.
 */
export function watchLive(parts: {
  ask: (website: Website) => Promise<WithAsOf<LiveScene>>;
  readFault: (error: unknown) => { fault: StatsFaultCode; message: string; isOurs: boolean };
  /** The shortest pause between two looks at a website. */
  restMs: number;
  /** How often an unchanged scene is sent again, to update its time. */
  repeatMs: number;
  clock: Clock;
  log: Log;
}) {
  const { ask, readFault, restMs, repeatMs, clock, log } = parts;
  const websites = new Map<number, Watched>();
  // One website at a time. Time spent waiting in line counts as work, so that each website is asked less
  // often when there are many.
  const inLine = limitConcurrency({ places: 1, maxWaiting: Number.POSITIVE_INFINITY });
  let questions = 0;
  let isStopped = false;

  async function look(watched: Watched): Promise<void> {
    const startedMs = clock.monotonicMs();
    questions += 1;
    const news = await inLine(() => ask(watched.website)).then(toNews, (error) => toAway(watched, error));
    if (isStopped) return;
    tell(watched, news);
    const tookMs = clock.monotonicMs() - startedMs;
    const pauseMs = Math.min(Math.max(restMs, tookMs * restPerWork), longestRestMs);
    setTimeout(() => goOn(watched), pauseMs).unref();
  }

  function goOn(watched: Watched): void {
    if (isStopped) return;
    // A website is not dropped as soon as its last listener leaves, so that reloading a page again and again
    // causes no more questions than staying on it.
    if (watched.listeners.size === 0) websites.delete(watched.website.id);
    else void look(watched);
  }

  function toAway({ website, news: before }: Watched, error: unknown): News {
    const { fault, message, isOurs } = readFault(error);
    if (isOurs && before?.kind !== 'away')
      log.error({ err: error, website: website.id }, 'cannot read the live data');
    return { kind: 'away', text: JSON.stringify({ fault, message }), content: fault };
  }

  function tell(watched: Watched, news: News): void {
    const { news: before, toldAtMs } = watched;
    const isSame = before?.kind === news.kind && before.content === news.content;
    watched.news = news;
    const nowMs = clock.monotonicMs();
    if (isSame && nowMs - toldAtMs < repeatMs) return;
    watched.toldAtMs = nowMs;
    for (const listener of watched.listeners) give(listener, news);
  }

  return {
    /**
     * Immediately tells the listener what is known, and then every change, until the returned function is
     * called.
     */
    follow(website: Website, listener: LiveListener): () => void {
      const known = websites.get(website.id);
      const watched = known ?? { website, listeners: new Set(), news: undefined, toldAtMs: 0 };
      watched.listeners.add(listener);
      if (known === undefined) {
        websites.set(website.id, watched);
        void look(watched);
      } else if (known.news !== undefined) give(listener, known.news);
      return () => void watched.listeners.delete(listener);
    },
    /** The number of questions since the start. */
    questions: () => questions,
    stop(): void {
      isStopped = true;
      websites.clear();
    },
  };
}

function toNews({ asOf, ...scene }: WithAsOf<LiveScene>): News {
  return { kind: 'scene', text: JSON.stringify({ asOf, ...scene }), content: JSON.stringify(scene) };
}

function give(listener: LiveListener, { kind, text }: News): void {
  if (kind === 'scene') listener.onScene(text);
  else listener.onAway(text);
}
