import { dayMs, toDay } from '@trackside/contract/calendar/day.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import type { Salts } from './salts.ts';

/**
 * Keeps this node's view of the salts. They are created before their date begins, and destroyed some time
 * after it has ended.
 */
export type SaltKeeper = {
  /** Settles after the first tick, and rejects if that tick failed. */
  ready: Promise<void>;
  /** The salt of each date, in hexadecimal digits. The map stays the same; its entries are kept current. */
  byDate: ReadonlyMap<string, string>;
  /** For a date without a salt: looks for missing ones now, but no more than once a second. */
  askForMissing(): void;
  tick(): Promise<void>;
  stop(): void;
};

const hourMs = 3_600_000;
/** A salt is kept at least for this long after its date, whatever the setting. */
const leastHours = 2;
/** The shortest time between two ticks that were asked for. */
const minAskedTickPauseMs = 1_000;

export function keepSalts(options: {
  salts: Salts;
  clock: Clock;
  log: Log;
  /** For how long after a date its records may still come. */
  lateHours: number;
  tickMs?: number;
  /** Whether this node is the one that destroys salts. The others stop using them within a tick. */
  mayDestroy?: () => boolean;
}): SaltKeeper {
  const { salts, clock, log, tickMs = 60_000, mayDestroy = () => true } = options;
  /** How long a date must have been seen as ended before its salt is destroyed. */
  const destroyAfterMs = Math.max(leastHours, options.lateHours) * hourMs;
  const byDate = new Map<string, string>();
  /** Per ended date, the time for which this process has seen it as ended, as the database counts it. */
  const observedMs = new Map<string, number>();
  let lastTickAtMs = clock.monotonicMs();
  let lastAskedAtMs = Number.NEGATIVE_INFINITY;
  // A crash can leave the salt of an earlier run in the write-ahead log.
  let mustScrub = true;
  let isFailing = false;
  let isStopped = false;
  let running: Promise<void> | undefined;

  async function runTick(): Promise<void> {
    const monotonicMs = clock.monotonicMs();
    const elapsedMs = Math.min(monotonicMs - lastTickAtMs, 2 * tickMs);
    lastTickAtMs = monotonicMs;
    const now = clock.now();

    let loaded = await salts.load();
    const dates = [...neverHad(now, options.lateHours, [...loaded.keys()]), ...datesAround(now)];
    const missing = dates.filter((date) => !loaded.has(date));
    if (missing.length > 0) {
      await salts.ensure(missing);
      loaded = await salts.load();
    }
    byDate.clear();
    for (const [date, salt] of loaded) byDate.set(date, salt.toString('hex'));

    for (const date of mayDestroy() ? [...loaded.keys()] : []) {
      if (now < endedEverywhereAt(date)) {
        observedMs.delete(date);
        await salts.resetObserved(date);
      } else {
        await observeEnded(date, elapsedMs);
      }
    }
    if (mustScrub) mustScrub = !(await salts.scrub());
  }

  async function observeEnded(date: string, elapsedMs: number): Promise<void> {
    const ownTotalMs = observedMs.get(date);
    // The interval counts only if the date had ended at its start as well.
    const counted = ownTotalMs === undefined ? 0 : elapsedMs;
    const total = await salts.addObservedAfterEnd({ date, elapsedMs: counted, ownTotalMs });
    observedMs.set(date, total);
    if (total < destroyAfterMs) return;
    const { isErased } = await salts.destroy(date);
    byDate.delete(date);
    observedMs.delete(date);
    if (!isErased) {
      mustScrub = true;
      log.warn({ date }, 'salt destroyed, but a reader still holds it in the write-ahead log: trying again');
    } else {
      log.info({ date }, 'salt destroyed');
    }
  }

  function tick(): Promise<void> {
    running ??= runTick().finally(() => {
      running = undefined;
    });
    return running;
  }

  function tickInBackground(): void {
    tick().then(
      () => {
        if (isFailing) log.info('salts can be stored again');
        isFailing = false;
      },
      (error: unknown) => {
        if (isFailing || isStopped) return;
        isFailing = true;
        log.error({ err: error }, 'salts cannot be stored: continuing with those in memory');
      },
    );
  }

  const ready = tick();
  ready.catch(() => {});
  const timer = setInterval(tickInBackground, tickMs);
  timer.unref();

  return {
    ready,
    byDate,
    askForMissing() {
      const monotonicMs = clock.monotonicMs();
      if (isStopped || monotonicMs - lastAskedAtMs < minAskedTickPauseMs) return;
      lastAskedAtMs = monotonicMs;
      tickInBackground();
    },
    tick,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** Every date that it is now, or will be within two days, anywhere between UTC-12 and UTC+14. */
export function datesAround(now: number): string[] {
  const dates: string[] = [];
  for (let day = -1; day <= 3; day++) {
    const date = toDay(now + day * dayMs);
    // Without this, a salt would be created again right after it was destroyed.
    if (now < endedEverywhereAt(date)) dates.push(date);
  }
  return dates;
}

/**
 * The dates that have ended, whose records may still come, and that never had a salt: the server is new, or was
 * down for days. Salts are created in the order of their dates, so a date before the newest one had a salt that
 * was destroyed, or left out of a backup. It must not get another one, because its visitors would count a second time.
 */
function neverHad(now: number, lateHours: number, known: readonly string[]): string[] {
  const newest = known.at(-1) ?? '';
  const dates: string[] = [];
  for (let ms = now - lateHours * hourMs - 12 * hourMs; ms < now; ms += dayMs) {
    const date = toDay(ms);
    if (date > newest && now >= endedEverywhereAt(date)) dates.push(date);
  }
  return dates;
}

/** A date ends last in UTC-12. */
export function endedEverywhereAt(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) + dayMs + 12 * hourMs;
}
