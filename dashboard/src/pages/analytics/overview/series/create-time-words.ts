import { type Interval, intervalEnd } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { cutToPeriod } from './cut-to-period.ts';

export type TimeWords = ReturnType<typeof createTimeWords>;

/** Creates the words for times at the website, which have no timezone. */
export function createTimeWords({ locale }: { locale: string }) {
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const day = { day: 'numeric', month: 'long' } as const;
  const formats = {
    weekday: dates({ weekday: 'short' }),
    shortDay: dates({ day: 'numeric', month: 'short' }),
    shortMonth: dates({ month: 'short' }),
    month: dates({ month: 'long', year: 'numeric' }),
    longDay: dates({ ...day, weekday: 'long' }),
    longDayAndYear: dates({ ...day, weekday: 'long', year: 'numeric' }),
    days: dates(day),
    daysAndYear: dates({ ...day, year: 'numeric' }),
  };
  const longDay = (time: string, today: string) =>
    (time.slice(0, 4) === today.slice(0, 4) ? formats.longDay : formats.longDayAndYear).format(dateOf(time));

  function days(from: string, to: string, today: string): string {
    if (from === to) return longDay(from, today);
    const isThisYear = [from, to].every((one) => one.slice(0, 4) === today.slice(0, 4));
    return (isThisYear ? formats.days : formats.daysAndYear).formatRange(dateOf(from), dateOf(to));
  }

  return {
    /** Fri 17 */
    weekday: (time: string) => `${formats.weekday.format(dateOf(time))} ${Number(time.slice(8, 10))}`,
    /** 17 Oct */
    shortDay: (time: string) => formats.shortDay.format(dateOf(time)),
    /** Oct */
    shortMonth: (time: string) => formats.shortMonth.format(dateOf(time)),
    /** Monday 3 November, with the year when it isn't the current one. */
    longDay,

    /** From the start of one interval to the end of another, cut off at the ends of the period. */
    span(interval: Interval, period: Period, first: string, last: string, today: string): string {
      const { from, to } = cutToPeriod(interval, period, first, last);
      if (first.length > 10) {
        const [fromTime, toTime] = [from.slice(11), to.slice(11)];
        const hours = interval === 'minute' && first === last ? fromTime : `${fromTime} – ${toTime}`;
        if (from.slice(0, 10) === to.slice(0, 10)) return `${longDay(from, today)}, ${hours}`;
        const [firstDay, lastDay] = [from, to].map((time) => formats.shortDay.format(dateOf(time)));
        return `${firstDay}, ${fromTime} – ${lastDay}, ${toTime}`;
      }
      const isWhole = from === first && to === intervalEnd(interval, last);
      const isWholeMonth = interval === 'month' && first === last && isWhole;
      return isWholeMonth ? formats.month.format(dateOf(first)) : days(from, to, today);
    },
  };
}

/** Times are read and written as UTC, which leaves them unchanged. */
const dateOf = (time: string) => new Date(`${time.slice(0, 10)}T00:00:00Z`);
