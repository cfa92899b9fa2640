import { yearBefore } from './day.ts';
import { type Interval, intervalEnd, listIntervals } from './intervals.ts';
import { addMinutes, minutesBetween } from './minute.ts';
import { addMonths, monthEnd, monthStart } from './month.ts';
import { isYearBefore, type Period } from './period.ts';

/** An interval of a period, and the one of another period that it is compared with, if there is one. */
export type IntervalPair = { time: string; before: string | undefined };

const stepMinutes = { minute: 1, hour: 60, day: 1440, week: 7 * 1440 } as const;

/**
 * Pairs the intervals of a period with those of another period that mean the same: day n with day n, an hour
 * with the same hour of the day, a date with the same date of the year before, a week or a month with the
 * nearest one at the distance of the periods. An interval that one of the periods cuts off is compared only
 * with one of which the same part is there. If it is a month, or the only interval of both periods, a part of
 * the same length is enough.
 */
export function pairIntervals(interval: Interval, period: Period, other: Period): IntervalPair[] {
  const [times, others] = [listIntervals(interval, period), listIntervals(interval, other)];
  const isOnlyOne = times.length === 1 && others.length === 1;
  const isThere = new Set(others);
  const findPartner = isOnlyOne ? () => others[0] : createFindPartner(interval, period, other);
  const isSamePart = isOnlyOne || interval === 'month' ? hasSameLength : isEqualPart;
  return times.map((time) => {
    const partner = findPartner(time);
    if (partner === undefined || !isThere.has(partner)) return { time, before: undefined };
    const isPair = isSamePart(partOf(interval, time, period), partOf(interval, partner, other));
    return { time, before: isPair ? partner : undefined };
  });
}

function createFindPartner(interval: Interval, period: Period, other: Period) {
  if (interval === 'month') {
    const months = Math.round(placeInMonths(other.from) - placeInMonths(period.from));
    return (start: string) => addMonths(start, months);
  }
  if (interval !== 'week' && isYearBefore(other, period)) return findDateBefore(period);
  const step = stepMinutes[interval];
  const steps = Math.round(minutesBetween(firstMinute(period), firstMinute(other)) / step);
  return (start: string) => addMinutes(toMinute(start), steps * step).slice(0, start.length);
}

/** The year before has no February 29. Only a period that begins with one is compared with February 28. */
const findDateBefore = (period: Period) => (start: string) => {
  const day = start.slice(0, 10);
  const isLeapDay = day.endsWith('-02-29');
  return isLeapDay && day !== period.from ? undefined : `${yearBefore(day)}${start.slice(10)}`;
};

/** The minutes of an interval that are in a period, counted from its start. */
type Part = { first: number; last: number; isWhole: boolean };

function partOf(interval: Interval, start: string, period: Period): Part {
  const begin = toMinute(start);
  const first = minutesBetween(begin, firstMinute(period));
  const last = minutesBetween(begin, lastMinute(period));
  const end = minutesBetween(begin, lastMinuteOf(intervalEnd(interval, start)));
  return { first: Math.max(0, first), last: Math.min(last, end), isWhole: first <= 0 && last >= end };
}

const isEqualPart = (part: Part, other: Part) => part.first === other.first && part.last === other.last;

const hasSameLength = (part: Part, other: Part) =>
  (part.isWhole && other.isWhole) || part.last - part.first === other.last - other.first;

/** Returns the place of a day on the line of all months. */
function placeInMonths(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const days = Number(monthEnd(monthStart(day)).slice(8));
  return 12 * year + month + (date - 1) / days;
}

const toMinute = (start: string) => (start.length > 10 ? start : `${start}T00:00`);
const lastMinuteOf = (end: string) => (end.length > 10 ? end : `${end}T23:59`);
const firstMinute = ({ from, fromTime = '00:00' }: Period) => `${from}T${fromTime}`;
const lastMinute = ({ to, toTime = '23:59' }: Period) => `${to}T${toTime}`;
