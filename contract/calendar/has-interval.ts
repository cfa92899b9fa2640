import { dayMs } from './day.ts';
import { type Interval, intervalEnd } from './intervals.ts';
import { createLocalTime, localMinute } from './local-time.ts';

/**
 * Creates a function that returns whether an interval exists in a timezone. When clocks go forward, they skip
 * minutes, usually those of an hour, and rarely a whole day.
 */
export function createHasInterval(interval: Interval, timezone: string): (start: string) => boolean {
  let created: ReturnType<typeof createLocalTime> | undefined;
  const localTime = (ms: number) => {
    created ??= createLocalTime(timezone);
    return created(ms);
  };
  const offsetAt = (ms: number) => Date.parse(`${localMinute(localTime(ms))}Z`) - ms;
  /** The offsets from UTC around each day. Asking for those of each minute would take long. */
  const offsetsOf = new Map<string, readonly number[]>();

  function offsetsAround(day: string): readonly number[] {
    const known = offsetsOf.get(day);
    if (known !== undefined) return known;
    const startMs = Date.parse(`${day}T00:00Z`);
    const offsets = [...new Set([offsetAt(startMs - dayMs), offsetAt(startMs + 2 * dayMs)])];
    offsetsOf.set(day, offsets);
    return offsets;
  }

  function hasMinute(minute: string): boolean {
    const offsets = offsetsAround(minute.slice(0, 10));
    const ms = Date.parse(`${minute}Z`);
    // Clocks that did not change skipped nothing.
    return offsets.length === 1 || offsets.some((offset) => localMinute(localTime(ms - offset)) === minute);
  }

  return (start) => {
    if (interval === 'week' || interval === 'month') return true;
    if (interval === 'day') return hasMinute(`${start}T12:00`);
    return hasMinute(start) || hasMinute(intervalEnd(interval, start));
  };
}
