import { addDays, daysBetween, yearBefore } from './day.ts';
import { type LocalTime, localMinute } from './local-time.ts';
import { addMinutes, minutesBetween } from './minute.ts';

/** Local days of a website, both included. With times, only what is between those minutes, both included. */
export type Period = { from: string; to: string; fromTime?: string; toTime?: string };

/** Returns the last days up to and including today. */
export function lastDays(days: number, today: string): Period {
  return { from: addDays(today, 1 - days), to: today };
}

/**
 * Returns the last minutes up to and including the current one. Where the clock is set back, local minutes come
 * twice, and a period has both or neither. It never lacks a minute, but it may have more of the repeated ones.
 */
export function lastMinutes(minutes: number, minutesAgo: (minutes: number) => LocalTime): Period {
  const minuteAt = (ago: number) => localMinute(minutesAgo(ago));
  const [first, last] = [minuteAt(minutes - 1), minuteAt(0)];
  if (minutesBetween(first, last) >= minutes - 1) return betweenMinutes(first, last);
  // The clock was set back between these, which are moved together until there is no minute between them.
  let [before, after] = [minutes - 1, 0];
  while (before - after > 1) {
    const middle = Math.floor((before + after) / 2);
    const isBefore = minutesBetween(first, minuteAt(middle)) === minutes - 1 - middle;
    if (isBefore) before = middle;
    else after = middle;
  }
  const inOrder = [first, minuteAt(before), minuteAt(after), last].toSorted();
  return betweenMinutes(inOrder[0]!, inOrder[3]!);
}

/** Returns the period of the same length right before. */
export function previousPeriod({ from, to, fromTime, toTime }: Period): Period {
  if (fromTime === undefined || toTime === undefined) {
    const days = daysBetween(from, to) + 1;
    return { from: addDays(from, -days), to: addDays(from, -1) };
  }
  const first = `${from}T${fromTime}`;
  const minutes = minutesBetween(first, `${to}T${toTime}`) + 1;
  return betweenMinutes(addMinutes(first, -minutes), addMinutes(first, -1));
}

/**
 * Returns the latest earlier period of the same length that begins on the same weekday, so that both have the
 * same number of weekends.
 */
export function sameWeekdays(period: Period): Period {
  const { from, to, fromTime = '00:00', toTime = '23:59' } = period;
  const minutes = minutesBetween(`${from}T${fromTime}`, `${to}T${toTime}`) + 1;
  const back = -7 * Math.ceil(minutes / (7 * 1440));
  return { ...period, from: addDays(from, back), to: addDays(to, back) };
}

/** Returns the same days a year before. */
export function previousYear(period: Period): Period {
  return { ...period, from: yearBefore(period.from), to: yearBefore(period.to) };
}

/** Returns whether a period is the same days and times of the year before another one. */
export function isYearBefore(before: Period, period: Period): boolean {
  const { from, to, fromTime, toTime } = previousYear(period);
  return before.from === from && before.to === to && before.fromTime === fromTime && before.toTime === toTime;
}

/** Returns a day up to the current time. */
export function untilNow({ from, to }: Period, now: LocalTime): Period {
  return { from, to, fromTime: '00:00', toTime: now.at.slice(11, 16) };
}

/** Returns the period from one minute to another, both included. */
export function betweenMinutes(first: string, last: string): Period {
  return {
    from: first.slice(0, 10),
    to: last.slice(0, 10),
    fromTime: first.slice(11),
    toTime: last.slice(11),
  };
}
