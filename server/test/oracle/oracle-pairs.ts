/**
 * A second implementation of the comparison of series: which interval each one is compared with. Written from
 * docs/statistics.md.
 */
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const toMs = (minute: string) => Date.parse(`${minute.replace(' ', 'T')}Z`);
const toMinute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const toDay = (ms: number) => toMinute(ms).slice(0, 10);

type Sent = { interval?: Interval; compare?: unknown };
export type TimedRow = CountedRow['counts'] & { time?: string };
type OfPeriod = { of: Period; rows: readonly TimedRow[] };

/** Returns the row that one is compared with; null if there is none. */
export function sameInterval(sent: Sent, now: OfPeriod, before: OfPeriod, row: TimedRow): TimedRow | null {
  const { interval } = sent;
  if (interval === undefined) return before.rows[0]!;
  const isOnlyOne = now.rows.length === 1 && before.rows.length === 1;
  const time = isOnlyOne ? before.rows[0]!.time! : partnerOf(sent, now.of, before.of, row.time!);
  const found = before.rows.find((other) => other.time === time);
  if (found === undefined) return null;
  const [mine, others] = [minutesIn(interval, row.time!, now.of), minutesIn(interval, time, before.of)];
  const isAsLong = mine.within === others.within || (mine.isWhole && others.isWhole);
  const isSame = isOnlyOne || interval === 'month' ? isAsLong : mine.part === others.part;
  return isSame ? found : null;
}

/** Returns the start of the interval at the distance of the periods, to the nearest week or month. */
function partnerOf({ interval, compare }: Sent, period: Period, before: Period, time: string): string {
  const isOfDate = interval === 'day' || interval === 'hour' || interval === 'minute';
  if (compare === 'previousYear' && isOfDate) return `${Number(time.slice(0, 4)) - 1}${time.slice(4)}`;
  const startMs = (of: Period) => toMs(`${of.from} ${of.fromTime ?? '00:00'}`);
  if (interval !== 'month') {
    const stepMs = { minute: minuteMs, hour: 60 * minuteMs, day: dayMs, week: 7 * dayMs }[interval!];
    const steps = Math.round((startMs(before) - startMs(period)) / stepMs);
    const ms = toMs(time.length > 10 ? time : `${time} 00:00`) + steps * stepMs;
    return time.length > 10 ? toMinute(ms) : toDay(ms);
  }
  // The place of a day on a line on which every month is as long as any other.
  const placeOf = ({ from }: Period) => {
    const [year, month, day] = from.split('-').map(Number) as [number, number, number];
    return year * 12 + month - 1 + (day - 1) / new Date(Date.UTC(year, month, 0)).getUTCDate();
  };
  const place = placeOf({ from: time, to: '' }) + Math.round(placeOf(before) - placeOf(period));
  return `${Math.floor(place / 12)}-${String((place % 12) + 1).padStart(2, '0')}-01`;
}

/** Returns which minutes of an interval are within a period: how many, and which, counted from its start. */
function minutesIn(interval: Interval, time: string, period: Period) {
  const startMs = toMs(time.length > 10 ? time : `${time} 00:00`);
  const days = new Date(Date.UTC(Number(time.slice(0, 4)), Number(time.slice(5, 7)), 0)).getUTCDate();
  const lengthMs =
    { minute: 1, hour: 60, day: 1440, week: 7 * 1440, month: days * 1440 }[interval] * minuteMs;
  const first = Math.max(startMs, toMs(`${period.from} ${period.fromTime ?? '00:00'}`));
  const end = Math.min(startMs + lengthMs, toMs(`${period.to} ${period.toTime ?? '23:59'}`) + minuteMs);
  const part = `${first - startMs} ${end - startMs}`;
  return { within: end - first, isWhole: end - first === lengthMs, part };
}
