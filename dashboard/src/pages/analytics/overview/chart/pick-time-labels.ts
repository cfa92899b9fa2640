import { daysBetween } from '@trackside/contract/calendar/day.ts';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import { monthsBetween } from '@trackside/contract/calendar/month.ts';
import type { TimeWords } from '../series/create-time-words.ts';

export type TimeLabel = { index: number; text: string };

/** A rhythm of labels: which intervals have a label, and its text. */
type Rhythm = { isAt: (time: string, index: number) => boolean; text: (time: string) => string };

/** Picks the labels below a chart: as many as there is room for, at round times. */
export function pickTimeLabels(
  interval: Interval,
  times: readonly string[],
  room: number,
  words: TimeWords,
): TimeLabel[] {
  const rhythms = rhythmsOf(interval, times, words);
  const picked = rhythms.map(({ isAt, text }) =>
    times.flatMap((time, index) => (isAt(time, index) ? [{ index, text: text(time) }] : [])),
  );
  // A short day may have no round time at all. Then a finer rhythm is better than no label.
  const fitting = picked.find((labels) => labels.length <= Math.max(2, room) && labels.length > 0);
  return fitting ?? [{ index: 0, text: rhythms[0]!.text(times[0]!) }];
}

/** Lists the rhythms of an interval, from the finest to the coarsest. */
function rhythmsOf(interval: Interval, times: readonly string[], words: TimeWords): Rhythm[] {
  const last = times.length - 1;
  // The steps are counted from the end, so that the latest interval always has a label.
  const every = (steps: readonly number[], text: Rhythm['text']): Rhythm[] =>
    steps.map((step) => ({ isAt: (_, index) => (last - index) % step === 0, text }));
  const atMonths = (isAt: Rhythm['isAt']): Rhythm[] =>
    [1, 2, 3, 6, 12, 24, 60].map((step) => ({
      isAt: (time, index) => isAt(time, index) && monthsOf(time) % step === 0,
      text: monthOrYear,
    }));
  const monthOrYear = (time: string) =>
    time.slice(5, 7) === '01' ? time.slice(0, 4) : words.shortMonth(time);
  const isNewMonth = (time: string, index: number) =>
    index > 0 && time.slice(0, 7) !== times[index - 1]!.slice(0, 7);

  if (interval === 'month') return atMonths(() => true);
  if (interval === 'week') return [...every([1, 2, 4], words.shortDay), ...atMonths(isNewMonth)];
  if (interval === 'day') {
    return [...every([1, 2, 3, 4, 5, 7, 14], words.shortDay), ...atMonths((time) => time.endsWith('-01'))];
  }
  const clock = (time: string) => (time.endsWith('T00:00') ? words.shortDay(time) : time.slice(11));
  const isOneDay = times[0]!.slice(0, 10) === times[last]!.slice(0, 10);
  const hours: Rhythm[] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map((step) => ({
    isAt: (time) => minutesOf(time) % step === 0,
    text: isOneDay ? (time) => time.slice(11) : clock,
  }));
  const days: Rhythm[] = [1, 2, 3, 7].map((step) => ({
    isAt: (time) => minutesOf(time) === 0 && daysOf(time) % step === 0,
    text: words.shortDay,
  }));
  return [...hours, ...days];
}

const minutesOf = (time: string) => Number(time.slice(11, 13)) * 60 + Number(time.slice(14, 16));
const daysOf = (time: string) => daysBetween('1970-01-01', time.slice(0, 10));
const monthsOf = (time: string) => monthsBetween('1970-01-01', time);
