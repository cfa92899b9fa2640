import type { Interval } from '@trackside/contract/stats/intervals.ts';

const dayMs = 86_400_000;

/** The last day of an interval, or its last minute when it is a part of a day. `start` is as answers have it. */
export function intervalEnd(interval: Interval, start: string): string {
  if (interval === 'minute' || interval === 'day') return start;
  if (interval === 'hour') return `${start.slice(0, 13)}:59`;
  const date = new Date(start);
  const end =
    interval === 'week'
      ? date.getTime() + 6 * dayMs
      : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0);
  return new Date(end).toISOString().slice(0, 10);
}
