import { setTimeout as delay } from 'node:timers/promises';
import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import { type AskedBy, createTurns } from '../answer/take-turns.ts';
import { buildDays } from './build-days.ts';
import { clearBuilds, findOrphans } from './clear-builds.ts';
import { findStaleDays } from './find-stale-days.ts';
import { forgetVisitor } from './forget-visitor.ts';
import { planBuilds } from './plan-builds.ts';
import { type DayState, isFresh, needsBuild, readDays } from './read-days.ts';

export type KeepDaysOptions = {
  store: Pick<Store, 'ofWebsite' | 'query'>;
  clock: Clock;
  log: Log;
  recordsPerSlice: number;
  /** Questions that come together share one look at which days have changed; 0 to look for each. */
  sharedMs: number;
};

/** The build of a day that counts, and whether it is one of those that may still change. */
export type BuiltDay = { day: string; build: string; isOpen: boolean };

/** What a question is answered from, and since when it is not up to date. */
export type ReadyDays = { days: BuiltDay[]; builds: string[]; hasClients: boolean; asOfMs: number };

/** Days are still being built, for longer than one who asked should wait. */
export class DaysNotReady extends Error {
  override name = 'DaysNotReady';
}

export type Days = ReturnType<typeof keepDays>;

/** A day that changes while it is looked at is built again no more often than this, and takes this share of the time. */
const refreshMs = 1000;
const refreshShare = 2;
const patienceMs = 20_000;
/** Numbers older than this are not shown if newer ones can be had soon: of so many records at most, within this time. */
const oldMs = 10_000;
const quickRecords = 100_000;
const quickMs = 1500;
/** Builds that are no longer the current ones are still read by questions under way. */
const graceMs = 60_000;
/** Longer than any build takes: what is not current by then never will be. */
const orphanMs = 3_600_000;
const daysAtOnce = 30;
/** Takes turns with the websites, as one of them. */
const ofNoWebsite = 0;
const oneAtATime = { all: 1, byLinks: 1, ofOne: 1, ofLink: 1 };
const endless = Number.POSITIVE_INFINITY;
const unbounded = { all: endless, byLinks: endless, ofOne: endless, ofLink: endless };

/** The website's store for who asks, and under which name what it reads is shared. */
type Through = { asked: WebsiteStore; key: string };

/** Keeps the days of websites built: on demand, one build at a time. */
export function keepDays({ store, clock, log, recordsPerSlice, sharedMs }: KeepDaysOptions) {
  let isStopping = false;
  let lastBuild = 0n;
  const takeTurns = createTurns({ running: oneAtATime, waiting: unbounded });
  const inLine = new Set<Promise<unknown>>();
  const underWay = new Map<string, Promise<void>>();
  const nextRefreshMs = new Map<number, number>();
  /** When a build of a day that may change was last seen to have all of its records. */
  const lastFreshMs = new Map<string, number>();
  const together = new Map<string, { from: string; to: string; days: Promise<DayState[]> }>();
  const shared = new Map<string, { ready: Promise<ReadyDays>; sinceMs: number }>();
  const obsolete: { websiteId: number; build: string; isOpen: boolean; sinceMs: number }[] = [];

  /** One after the other, of each website in turn. */
  function inTurn<T>(websiteId: number, work: () => Promise<T>): Promise<T> {
    const done = takeTurns({ websiteId, by: 'user' }, work);
    const ended = done.catch(() => {}).finally(() => inLine.delete(ended));
    inLine.add(ended);
    return done;
  }

  async function build(website: WebsiteStore, days: readonly DayState[], today: string): Promise<void> {
    for (const { tables, run } of planBuilds(days, today, recordsPerSlice)) {
      if (isStopping) throw new DaysNotReady('the server is stopping');
      const highest = run.reduce((most, { built }) => maxOf(most, BigInt(built?.build ?? 0)), lastBuild);
      lastBuild = maxOf(BigInt(clock.now()) * 1000n, highest + buildsPerJob);
      await buildDays({
        store: website,
        days: run,
        tables,
        build: lastBuild,
        nowMs: clock.now(),
        recordsPerSlice,
      });
      for (const { built } of run) {
        if (built === undefined) continue;
        obsolete.push({ websiteId: website.websiteId, ...built, sinceMs: clock.monotonicMs() });
        lastFreshMs.delete(built.build);
      }
    }
    // What was built is built, whether or not there is time to clear up behind it: the sweep finds what is left.
    await clearObsolete().catch((error: unknown) =>
      log.warn(
        { err: error, website: website.websiteId },
        'builds that nobody reads any more could not be removed',
      ),
    );
  }

  async function clearObsolete(): Promise<void> {
    const due = obsolete.filter(({ sinceMs }) => clock.monotonicMs() - sinceMs > graceMs);
    for (const item of due) obsolete.splice(obsolete.indexOf(item), 1);
    // Together: a statement for one of them costs the store as much as one for all.
    for (const [id, builds] of Map.groupBy(due, ({ websiteId }) => websiteId))
      await clearBuilds(store.ofWebsite(id), builds);
  }

  async function buildPart(
    website: WebsiteStore,
    part: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void> {
    if (isStopping) throw new DaysNotReady('the server is stopping');
    // Read again: while this waited in line, another may have built them.
    const now = await readDays(website, part[0]!.day, part.at(-1)!.day);
    const wanted = new Set(part.map(({ day }) => day));
    const due = now.filter((state) => wanted.has(state.day) && (isForced || needsBuild(state, today)));
    await build(website, due, today);
  }

  /**
   * Some days at a time, so that another website need not wait until years are built, and the latest first. While a day
   * waits or is built, the same goes for whoever asks for it.
   */
  function buildParts(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
    isForced: boolean,
  ): Promise<void>[] {
    const parts: Promise<void>[] = [];
    for (let end = days.length; end > 0; end -= daysAtOnce) {
      const part = days.slice(Math.max(0, end - daysAtOnce), end);
      const keys = part.map(({ day }) => `${website.websiteId} ${day}`);
      const done = inTurn(website.websiteId, () => buildPart(website, part, today, isForced)).finally(() => {
        for (const key of keys) if (underWay.get(key) === done) underWay.delete(key);
      });
      for (const key of keys) underWay.set(key, done);
      parts.push(done);
    }
    return parts;
  }

  /** Returns when these days are built, of which some may be under way. */
  async function buildOnce(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
    isForced = false,
  ): Promise<void> {
    const partOf = ({ day }: DayState) =>
      isForced ? undefined : underWay.get(`${website.websiteId} ${day}`);
    const known = new Set(days.map(partOf).filter((part) => part !== undefined));
    const own = days.filter((state) => partOf(state) === undefined);
    if (own.length === 0) return void (await Promise.all(known));
    const startedMs = clock.monotonicMs();
    const parts = Promise.all(buildParts(website, own, today, isForced)).catch((error: unknown) => {
      if (!isStopping) log.error({ err: error, website: website.websiteId }, 'building days failed');
      throw error;
    });
    const done = parts.finally(() => {
      const tookMs = clock.monotonicMs() - startedMs;
      nextRefreshMs.set(website.websiteId, clock.monotonicMs() + Math.max(refreshMs, refreshShare * tookMs));
    });
    await Promise.all([...known, done]);
  }

  /** Periods that are asked for together, as one and the one before it, are read by one statement. */
  async function readTogether(
    { asked, key }: Through,
    { from, to }: { from: string; to: string },
  ): Promise<DayState[]> {
    const known = together.get(key);
    const group = known ?? { from, to, days: Promise.resolve<DayState[]>([]) };
    if (from < group.from) group.from = from;
    if (to > group.to) group.to = to;
    if (known === undefined) {
      together.set(key, group);
      group.days = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        together.delete(key);
        return readDays(asked, group.from, group.to);
      });
    }
    return (await group.days).filter(({ day }) => day >= from && day <= to);
  }

  async function makeReady(
    websiteId: number,
    period: { from: string; to: string },
    today: string,
    through: Through,
  ): Promise<ReadyDays> {
    const website = store.ofWebsite(websiteId);
    const read = () => readDays(through.asked, period.from, period.to);
    let days = await readTogether(through, period);
    // Twice: a build that was under way may have begun before the last records came.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const missing = days.filter(
        (state) => !isFresh(state) && (state.built === undefined || state.day < today),
      );
      if (missing.length === 0) break;
      await within(patienceMs, buildOnce(website, missing, today));
      days = await read();
    }
    if (await hasRefreshed(website, days, today)) days = await read();
    const built = days.flatMap(({ day, built: of }) => (of === undefined ? [] : [{ day, ...of }]));
    return {
      days: built.map(({ day, build, isOpen }) => ({ day, build, isOpen })),
      builds: built.map(({ build }) => build),
      hasClients: built.some(({ clients }) => clients > 0),
      asOfMs: asOfMs(days),
    };
  }

  /** Since when these days have not been up to date: a build was, for as long as it had all the records. */
  function asOfMs(days: readonly DayState[]): number {
    const nowMs = clock.now();
    const since = days.flatMap((state) => {
      if (state.built === undefined) return [];
      const { build, isOpen, builtAtMs } = state.built;
      if (!isFresh(state)) return [Math.max(builtAtMs, lastFreshMs.get(build) ?? 0)];
      if (isOpen) lastFreshMs.set(build, nowMs);
      return [];
    });
    return Math.min(nowMs, ...since);
  }

  /**
   * Starts to build what has changed. It is waited for where the numbers are old and it will not take long: who sends a
   * record and looks must see it.
   */
  async function hasRefreshed(
    website: WebsiteStore,
    days: readonly DayState[],
    today: string,
  ): Promise<boolean> {
    const stale = days.filter((state) => !isFresh(state) && state.built !== undefined);
    if (stale.length === 0 || clock.monotonicMs() < (nextRefreshMs.get(website.websiteId) ?? 0)) return false;
    const refreshed = buildOnce(website, stale, today).then(
      () => true,
      () => false,
    );
    const records = stale.reduce((sum, state) => sum + state.records, 0);
    if (clock.now() - asOfMs(days) < oldMs || records > quickRecords) return false;
    return await Promise.race([refreshed, delay(quickMs, false, { ref: false })]);
  }

  return {
    /**
     * The builds that answer for a period. Days that have ended are waited for; today is taken as it was built last, and
     * built again when it has changed. They are read by `asked`, in the turns of `asked.by`, and shared by nobody who asks
     * in other turns: who is next must not wait for who is last.
     */
    async ready(
      websiteId: number,
      period: { from: string; to: string },
      today: string,
      { store: asked, by }: { store: WebsiteStore; by: AskedBy } = {
        ...{ store: store.ofWebsite(websiteId), by: 'user' },
      },
    ): Promise<ReadyDays> {
      const key = `${websiteId} ${by} ${period.from} ${period.to} ${today}`;
      const nowMs = clock.monotonicMs();
      for (const [other, { sinceMs }] of shared) if (nowMs - sinceMs >= sharedMs) shared.delete(other);
      const known = shared.get(key);
      if (known !== undefined) return await known.ready;
      const ready = makeReady(websiteId, period, today, { asked, key: `${websiteId} ${by}` });
      if (sharedMs > 0) shared.set(key, { ready, sinceMs: nowMs });
      // Who comes next must not get a fault that is over.
      ready.catch(() => shared.delete(key));
      return await ready;
    },
    /** Builds days whether they have changed or not; `onProgress` is told after each stretch. */
    async rebuild(
      websiteId: number,
      period: { from: string; to: string },
      today: string,
      onProgress: (doneDays: number, allDays: number) => void,
    ): Promise<{ days: number; records: number }> {
      const website = store.ofWebsite(websiteId);
      const days = await readDays(website, period.from, period.to);
      for (let done = 0; done < days.length; done += daysAtOnce) {
        onProgress(done, days.length);
        await buildOnce(website, days.slice(done, done + daysAtOnce), today, true);
      }
      onProgress(days.length, days.length);
      return { days: days.length, records: days.reduce((sum, { records }) => sum + records, 0) };
    },
    /** Work on what was built that must not meet a build half-way. */
    inTurn: <T>(work: () => Promise<T>) => inTurn(ofNoWebsite, work),
    /** For a visitor whose records are gone: returns when nothing that was built holds them any more. */
    async forgetVisitor(websiteId: number, visitorId: string, today: string): Promise<void> {
      const website = store.ofWebsite(websiteId);
      const rebuild = (days: readonly string[]) =>
        inTurn(websiteId, async () => {
          const now = await readDays(website, days[0]!, days.at(-1)!);
          const stale = now.filter((state) => days.includes(state.day) && !isFresh(state));
          await build(website, stale, today);
        });
      const inOwnTurn = <T>(work: () => Promise<T>) => inTurn(websiteId, work);
      await forgetVisitor({ store: website, visitorId, rebuild, inTurn: inOwnTurn });
    },
    /**
     * What nobody waits for: days that have ended are built, and builds that nobody asks for any more are removed.
     * `before` is a day that has ended everywhere.
     */
    async sweep(before: string): Promise<void> {
      for (const { websiteId, from, to } of await findStaleDays(store, before)) {
        const website = store.ofWebsite(websiteId);
        const stale = (await readDays(website, from, to)).filter((state) =>
          needsBuild(state, afterNext(before)),
        );
        if (stale.length > 0 && !isStopping) await buildOnce(website, stale, afterNext(before));
        if (isStopping) return;
      }
      const orphans = await findOrphans(store, clock.now() - orphanMs);
      for (const [id, builds] of Map.groupBy(orphans, ({ websiteId }) => websiteId)) {
        if (isStopping) return;
        await clearBuilds(store.ofWebsite(id), builds);
      }
    },
    /** What is being built is given up after a while: it is built again when it is asked for. */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      isStopping = true;
      await Promise.race([Promise.all(inLine), delay(withinMs, undefined, { ref: false })]);
    },
  };
}

/** A day before this one is neither today nor yesterday. */
const afterNext = (day: string) => addDays(day, 1);

const buildsPerJob = 1000n;
const maxOf = (a: bigint, b: bigint) => (a > b ? a : b);

async function within(ms: number, work: Promise<void>): Promise<void> {
  const timer = new AbortController();
  const late = delay(ms, 'late' as const, { signal: timer.signal, ref: false }).catch(() => 'done' as const);
  const first = await Promise.race([work.then(() => 'done' as const), late]);
  timer.abort();
  if (first === 'late') throw new DaysNotReady('the days of this period are still being added up');
}
