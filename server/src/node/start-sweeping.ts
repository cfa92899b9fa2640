import { dayMs, toDay } from '@trackside/contract/calendar/day.ts';
import type { Log } from '../log.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import type { Clock } from '../time/clock.ts';

const firstMs = 20_000;
const intervalMs = 5 * 60_000;
/** Timezones reach 12 hours behind UTC. */
const behindMs = 12 * 3_600_000;

/** Every few minutes, adds up past days before someone asks for them. */
export function startSweeping(parts: {
  days: Pick<DayBuilder, 'sweep'>;
  /** Whether the store is there, and this node is the one that builds. */
  mayBuild: () => boolean;
  clock: Clock;
  log: Log;
}) {
  const { days, mayBuild, clock, log } = parts;
  let isStopped = false;
  let timer = setTimeout(sweep, firstMs).unref();

  async function sweep(): Promise<void> {
    try {
      // Yesterday is left out too, in every timezone, because most late records belong to it.
      const before = toDay(clock.now() - behindMs - dayMs);
      if (mayBuild()) await days.sweep(before);
    } catch (error) {
      if (!isStopped)
        log.warn({ err: error }, 'the totals of past days could not be calculated: trying again later');
    }
    if (!isStopped) timer = setTimeout(sweep, intervalMs).unref();
  }

  return {
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
