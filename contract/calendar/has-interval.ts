import { dayMs } from './day.ts';
import { type Interval, intervalEnd } from './intervals.ts';
import { createLocalTime, localMinute } from './local-time.ts';

/**
 * Creates a function that tells whether a place has an interval. When clocks go forward, they leave out
 * minutes, usually those of an hour, and rarely a whole day.
 */
export function createHasInterval(interval: Interval, timezone: string): (start: string) => boolean {
  const localTime = createLocalTime(timezone);
  const offsetMs = (ms: number) => Date.parse(`${localMinute(localTime(ms))}Z`) - ms;
  const hasMinute = (minute: string) => {
    const ms = Date.parse(`${minute}Z`);
    // One of these is the offset of the minute, whichever side of a change it is on.
    const offsets = [offsetMs(ms - dayMs), offsetMs(ms + dayMs)];
    return offsets.some((offset) => localMinute(localTime(ms - offset)) === minute);
  };
  return (start) => {
    if (interval === 'week' || interval === 'month') return true;
    if (interval === 'day') return hasMinute(`${start}T12:00`);
    return hasMinute(start) || hasMinute(intervalEnd(interval, start));
  };
}
