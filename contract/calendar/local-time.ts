import { minuteMs } from './minute.ts';

/** Wall-clock time of a place, in the store's format: `2026-11-03` and `2026-11-03 14:05:59`. */
export type LocalTime = { day: string; at: string };

/**
 * Creates a function that returns a timezone's wall-clock time. Asking Intl costs microseconds, so the offset
 * is kept for a minute: no timezone changes its offset within one.
 */
export function createLocalTime(timezone: string): (ms: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  let minute = Number.NaN;
  let offsetMs = 0;
  let second = Number.NaN;
  let local: LocalTime = { day: '', at: '' };

  const offsetAt = (ms: number): number => {
    const part: Record<string, number> = {};
    for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
  };

  return (ms) => {
    const thisSecond = Math.floor(ms / 1000);
    if (thisSecond === second) return local;
    const thisMinute = Math.floor(ms / minuteMs);
    if (thisMinute !== minute) {
      offsetMs = offsetAt(ms);
      minute = thisMinute;
    }
    const at = formatUtc(ms + offsetMs).slice(0, 19);
    local = { day: at.slice(0, 10), at };
    second = thisSecond;
    return local;
  };
}

/** Does the same for a timezone that this browser may not know. Then the time is UTC. */
export function createLocalTimeOrUtc(timezone: string): (ms: number) => LocalTime {
  try {
    return createLocalTime(timezone);
  } catch {
    return createLocalTime('UTC');
  }
}

/** Returns the minute of a wall-clock time, such as `2026-11-03T14:05`. */
export function localMinute({ at }: LocalTime): string {
  return `${at.slice(0, 10)}T${at.slice(11, 16)}`;
}

/**
 * Creates a formatUtc that remembers its last result, because under load many records arrive in one
 * millisecond.
 */
export function createUtcFormat(): (ms: number) => string {
  let lastMs = Number.NaN;
  let text = '';
  return (ms) => {
    if (ms !== lastMs) {
      text = formatUtc(ms);
      lastMs = ms;
    }
    return text;
  };
}

/** Formats a time as `YYYY-MM-DD hh:mm:ss.mmm`. */
function formatUtc(ms: number): string {
  return new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
}
