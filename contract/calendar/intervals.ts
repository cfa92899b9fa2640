import { addDays, daysBetween } from './day.ts';
import { minuteMs, toMinute } from './minute.ts';
import { addMonths, monthEnd, monthStart } from './month.ts';
import type { Period } from './period.ts';
import { mondayOf } from './week.ts';

/** The intervals that a period can be divided into. */
export const intervals = ['minute', 'hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof intervals)[number];

const stepMs = { minute: minuteMs, hour: 60 * minuteMs } as const;

/**
 * Returns the start of every interval that a period touches, in order of time. A start is a day, or a minute
 * of a day.
 */
export function listIntervals(interval: Interval, { from, to, fromTime, toTime }: Period): string[] {
  if (interval === 'minute' || interval === 'hour') {
    const step = stepMs[interval];
    const startMs = Date.parse(`${from}T${fromTime ?? '00:00'}Z`);
    const endMs = Date.parse(`${to}T${toTime ?? '23:59'}Z`);
    const firstMs = startMs - (startMs % step);
    const count = Math.floor((endMs - firstMs) / step) + 1;
    return Array.from({ length: count }, (_, index) => toMinute(firstMs + index * step));
  }
  const starts: string[] = [];
  for (let start = firstStart(interval, from); start <= to; start = nextStart(interval, start))
    starts.push(start);
  return starts;
}

/** Returns an upper limit of the number of intervals, without listing them. */
export function countIntervals(interval: Interval, { from, to }: Period): number {
  const days = daysBetween(from, to) + 1;
  return { minute: days * 1440, hour: days * 24, day: days, week: days / 7 + 2, month: days / 28 + 2 }[
    interval
  ];
}

/** Returns the last day of an interval, or its last minute if it is shorter than a day. */
export function intervalEnd(interval: Interval, start: string): string {
  switch (interval) {
    case 'minute':
    case 'day':
      return start;
    case 'hour':
      return `${start.slice(0, 13)}:59`;
    case 'week':
      return addDays(start, 6);
    case 'month':
      return monthEnd(start);
  }
}

type DayInterval = Exclude<Interval, keyof typeof stepMs>;

function firstStart(interval: DayInterval, day: string): string {
  if (interval === 'day') return day;
  return interval === 'week' ? mondayOf(day) : monthStart(day);
}

function nextStart(interval: DayInterval, start: string): string {
  if (interval === 'month') return addMonths(start, 1);
  return addDays(start, interval === 'week' ? 7 : 1);
}
