import { firstKeptDay } from '@trackside/contract/calendar/first-kept-day.ts';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Log } from '../../log.ts';
import type { IsWanted } from '../../records/wanted-row.ts';
import type { Clock } from '../../time/clock.ts';
import { createSettledClock } from '../../time/settled-clock.ts';
import type { Control } from '../open-control.ts';
import type { WrittenErasure } from '../privacy/erasures.ts';
import { keyIdOf } from './hash-api-key.ts';
import type { Website } from './website-row.ts';

export type CachedWebsite = Website & {
  /** The secret that visitors with a ClientId are hashed with, in hexadecimal digits. */
  clientIdKey: string;
};

export type ApiKey = {
  website: CachedWebsite;
  expiresAt: number | null;
  /** Identifies the key where it must not be known. */
  id: string;
};

/**
 * Keeps the websites, their keys and their erased visitors in memory, at most one poll behind the database. On
 * PostgreSQL, a change that another node makes is usually read at once.
 */
export type WebsiteCache = {
  /**
   * By the hash of the key, without the keys of websites that are being deleted. Whether a key has expired is
   * for the reader to check. The map stays the same; its entries are kept current.
   */
  apiKeys: ReadonlyMap<string, ApiKey>;
  /** Undefined also for a website that is being deleted. */
  get(id: number): CachedWebsite | undefined;
  /** All websites, including those that are being deleted. */
  list(): readonly CachedWebsite[];
  erasures(): readonly WrittenErasure[];
  /** The revision of control that all of this is from. */
  revision(): number;
  /** Whether a record of the journal still belongs in the store. */
  isWanted: IsWanted;
  count(): number;
  /** Whether reading the database has failed recently. */
  isFailing(): boolean;
  /** Loads changes that were just made. */
  refresh(): Promise<void>;
  stop(): void;
};

type View = {
  revision: number;
  apiKeys: Map<string, ApiKey>;
  byId: Map<number, CachedWebsite>;
  erasures: readonly WrittenErasure[];
  /**
   * What isWanted looks at, by website. If a website isn't in here, none of its records are wanted. Those of a
   * lost website are, because somebody may add it again.
   */
  wants: Map<number, Wants>;
};
type Wants = {
  /**
   * The oldest day that is kept, or empty if all are. It is calculated with each poll, because it is read for
   * every loaded row.
   */
  firstDay: string;
  tellFirstDay: (() => string) | undefined;
  /** The times whose records were erased, for each visitor. Undefined if no visitor's were. */
  erased: Map<string, ErasedTime[]> | undefined;
};
/** In milliseconds since 1970. `until` is not included. */
type ErasedTime = { from: number; until: number };
type WatchedControl = Pick<Control, 'websites' | 'revision' | 'erasures' | 'watchChanges'>;

export async function openWebsiteCache(options: {
  control: WatchedControl;
  clock: Clock;
  intervalMs: number;
  /**
   * For this long after the start, and after the clock was set, no record is too old, because the clock may
   * be wrong.
   */
  settleMs: number;
  log: Log;
}): Promise<WebsiteCache> {
  const { control, clock, intervalMs, log } = options;
  const settledNow = createSettledClock(clock, options.settleMs);
  let view = await loadView(control, settledNow);
  const { apiKeys } = view;
  let isFailing = false;
  let isStopped = false;
  let timer = setTimeout(poll, intervalMs).unref();
  let hasHeard = false;
  const changes = control.watchChanges(() => {
    // Changes that arrive together are read together.
    if (hasHeard || isStopped) return;
    hasHeard = true;
    setImmediate(() => {
      hasHeard = false;
      // The next poll says what is wrong.
      if (!isStopped) refresh().catch(() => {});
    });
  });

  async function refresh(): Promise<void> {
    for (const wants of view.wants.values())
      if (wants.tellFirstDay !== undefined) wants.firstDay = wants.tellFirstDay();
    if ((await control.revision()) === view.revision) return;
    const loaded = await loadView(control, settledNow);
    // Two refreshes can be in progress at once: the one that began earlier must not undo what the other has
    // read.
    if (loaded.revision <= view.revision) return;
    view = loaded;
    apiKeys.clear();
    for (const [hash, key] of loaded.apiKeys) apiKeys.set(hash, key);
  }

  async function poll(): Promise<void> {
    try {
      await refresh();
      if (isFailing) log.info('websites can be read again');
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped)
        log.error({ err: error }, 'websites cannot be read: continuing with those read last');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(poll, intervalMs).unref();
  }

  return {
    apiKeys,
    get(id) {
      const entry = view.byId.get(id);
      return entry?.deletingSince === null ? entry : undefined;
    },
    list: () => [...view.byId.values()],
    erasures: () => view.erasures,
    revision: () => view.revision,
    isWanted(row) {
      const wants = view.wants.get(row.websiteId);
      if (wants === undefined) return false;
      if (row.day < wants.firstDay) return false;
      // It takes time to tell whose record it is, so check that only if a visitor was erased.
      if (wants.erased === undefined) return true;
      const times = wants.erased.get(row.visitorId);
      if (times === undefined) return true;
      // What happened before an erasure must not come back, even if it comes after it.
      const { occurredAtMs } = row;
      return !times.some(({ from, until }) => occurredAtMs >= from && occurredAtMs < until);
    },
    count: () => view.byId.size,
    isFailing: () => isFailing,
    refresh,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      void changes.stop();
    },
  };
}

async function loadView(control: WatchedControl, settledNow: () => number | undefined): Promise<View> {
  // The revision comes first: if something changes in between, the view is newer than its revision, and the
  // next poll loads it again.
  const revision = await control.revision();
  const erasures = await control.erasures.list();
  const view: View = { revision, apiKeys: new Map(), byId: new Map(), erasures, wants: new Map() };
  const erased = Map.groupBy(erasures, ({ websiteId }) => websiteId);
  const erasedOn = (websiteId: number) => {
    const ofWebsite = erased.get(websiteId);
    return ofWebsite && erasedTimes(ofWebsite);
  };
  for (const id of await control.websites.lostIds())
    view.wants.set(id, { tellFirstDay: undefined, firstDay: '', erased: erasedOn(id) });
  for (const { website, keys, clientIdKey } of await control.websites.cacheRows()) {
    const entry = { ...website, clientIdKey: clientIdKey.toString('hex') };
    view.byId.set(website.id, entry);
    if (website.deletingSince !== null) continue;
    for (const { hash, expiresAt } of keys)
      view.apiKeys.set(hash, { website: entry, expiresAt, id: keyIdOf(hash) });
    const tellFirstDay = website.retentionDays === null ? undefined : createFirstDay(website, settledNow);
    view.wants.set(website.id, {
      tellFirstDay,
      firstDay: tellFirstDay?.() ?? '',
      erased: erasedOn(website.id),
    });
  }
  return view;
}

/** Returns what applies to the records of each visitor. A device without a ClientId is a visitor too. */
function erasedTimes(erasures: readonly WrittenErasure[]): Map<string, ErasedTime[]> {
  const times = new Map<string, ErasedTime[]>();
  const add = (visitorId: string, time: ErasedTime) => {
    times.set(visitorId, [...(times.get(visitorId) ?? []), time]);
  };
  for (const { visitorId, appliedBefore, visits } of erasures) {
    if (appliedBefore !== null) add(visitorId, { from: Number.NEGATIVE_INFINITY, until: appliedBefore });
    for (const visit of visits) add(visit.deviceId, { from: visit.receivedFrom, until: visit.receivedUntil });
  }
  return times;
}

/** Returns the oldest local day that the website keeps. While the clock isn't settled, every day is kept. */
function createFirstDay(
  { timezone, retentionDays }: Website,
  settledNow: () => number | undefined,
): () => string {
  const localTime = createLocalTime(timezone);
  return () => {
    const nowMs = settledNow();
    return nowMs === undefined ? '' : firstKeptDay(localTime(nowMs).day, retentionDays!);
  };
}
