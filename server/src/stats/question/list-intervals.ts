import type { Period } from '@trackside/contract/stats/answers.ts';
import type { Interval } from '@trackside/contract/stats/intervals.ts';
import { addDays, mondayOf } from './periods.ts';

const stepMs = { minute: 60_000, hour: 3_600_000 } as const;

/** The start of every interval of a period, in their order, in the form that answers have. */
export function listIntervals(interval: Interval, { from, to, fromTime, toTime }: Period): string[] {
  if (interval === 'minute' || interval === 'hour') {
    const step = stepMs[interval];
    const startMs = Date.parse(`${from}T${fromTime ?? '00:00'}Z`);
    const endMs = Date.parse(`${to}T${toTime ?? '23:59'}Z`);
    const firstMs = startMs - (startMs % step);
    const count = Math.floor((endMs - firstMs) / step) + 1;
    return Array.from({ length: count }, (_, index) =>
      new Date(firstMs + index * step).toISOString().slice(0, 16),
    );
  }
  const intervals: string[] = [];
  let start = interval === 'day' ? from : interval === 'week' ? mondayOf(from) : `${from.slice(0, 7)}-01`;
  while (start <= to) {
    intervals.push(start);
    start =
      interval === 'day' ? addDays(start, 1) : interval === 'week' ? addDays(start, 7) : nextMonth(start);
  }
  return intervals;
}

/** How many there are at most, without listing them. */
export function countIntervals(interval: Interval, { from, to }: Period): number {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
  return { minute: days * 1440, hour: days * 24, day: days, week: days / 7 + 2, month: days / 28 + 2 }[
    interval
  ];
}

function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number);
  return month === 12
    ? `${String(year + 1).padStart(4, '0')}-01-01`
    : `${day.slice(0, 4)}-${String(month + 1).padStart(2, '0')}-01`;
}
