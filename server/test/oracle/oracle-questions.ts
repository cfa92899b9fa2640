import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
/**
 * A second implementation of whole answers: what a question means if members are left out, and how rows are
 * ordered, cut and compared. Written from docs/statistics.md, over records in memory. It shares nothing with
 * the code that reads and answers questions.
 */
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { askOracle } from './oracle.ts';
import type { TestRecord } from './records.ts';

/** A question as somebody sends it. Every member can be left out. */
export type SentQuestion = {
  period?: string | { from: string; to: string } | { lastMinutes: number };
  interval?: Interval;
  metrics?: readonly TestedMetric[];
  dimensions?: readonly TestedDimension[];
  filters?: readonly Filter[];
  compare?: 'previousPeriod' | 'previousYear';
  order?: readonly { by: TestedMetric | 'dimension'; descending?: boolean }[];
  limit?: number;
  offset?: number;
};
export type TestedMetric = 'visitors' | 'visits' | 'pageViews' | 'events' | 'bounceRate' | 'visitDuration';
type TestedDimension = 'country' | 'page' | 'city' | 'event' | 'weekday';

type Numbers = Partial<Record<TestedMetric, number | null>>;
type Row = {
  time?: string;
  dimensions: Record<string, string>;
  metrics: Numbers;
  comparisonTime?: string;
  comparison?: Numbers | null;
};
export type ExpectedAnswer = {
  rows: Row[];
  totalRows: number;
  visitorsAre: 'distinct' | 'daily' | 'mixed' | undefined;
};

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const toMs = (minute: string) => Date.parse(`${minute.replace(' ', 'T')}Z`);
const toMinute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const toDay = (ms: number) => toMinute(ms).slice(0, 10);

/** Answers a question. `now` is the current minute at the website, such as 2026-03-31 14:05. */
export function answerOracle(
  records: readonly TestRecord[],
  sent: SentQuestion,
  now: string,
): ExpectedAnswer {
  const period = periodOf(sent.period ?? '30d', records, now);
  const asked = (of: Period): CountedRow[] =>
    askOracle(records, {
      period: of,
      filters: sent.filters ?? [],
      metrics: [],
      order: [],
      limit: 0,
      offset: 0,
      dimensions: keysOf(sent),
      ...(sent.interval !== undefined && { interval: sent.interval }),
    });
  const compared = comparedWith(sent, period, now);
  const visitorsAre = whatVisitorsAre(sent, records, period);
  if (keysOf(sent).length > 0)
    return { ...listOf(sent, asked(period), compared && asked(compared)), visitorsAre };
  const rows = inOrderOfTime(sent, period, asked(period));
  const before = compared && inOrderOfTime(sent, compared, asked(compared));
  const all = rows.map((row) => {
    const same = before && sameInterval(sent, { of: period, rows }, { of: compared!, rows: before }, row);
    return toRow(sent, row, same);
  });
  return { rows: all, totalRows: all.length, visitorsAre };
}

function whatVisitorsAre(
  { metrics = ['visitors'], interval }: SentQuestion,
  records: readonly TestRecord[],
  { from, to }: Period,
): ExpectedAnswer['visitorsAre'] {
  if (!metrics.includes('visitors')) return undefined;
  const within = records.filter(({ day }) => day >= from && day <= to);
  const isOfDays = interval === undefined || interval === 'week' || interval === 'month';
  if (!isOfDays || new Set(within.map(({ day }) => day)).size < 2) return 'distinct';
  const people = within.filter(({ isBot }) => !isBot);
  if (!people.some(({ hasClientId }) => hasClientId)) return 'daily';
  return people.every(({ hasClientId }) => hasClientId) ? 'distinct' : 'mixed';
}

const keysOf = ({ dimensions = [] }: SentQuestion): Key[] => dimensions.map((dimension) => ({ dimension }));

function periodOf(
  period: NonNullable<SentQuestion['period']>,
  records: readonly TestRecord[],
  now: string,
): Period {
  const today = now.slice(0, 10);
  if (period === 'today') return { from: today, to: today };
  if (period === 'all') {
    return { from: [today, ...records.map(({ day }) => day)].toSorted()[0]!, to: today };
  }
  if (typeof period === 'string')
    return { from: toDay(toMs(today) - (parseInt(period, 10) - 1) * dayMs), to: today };
  if ('from' in period) return period;
  const start = toMinute(toMs(now) - (period.lastMinutes - 1) * minuteMs);
  return {
    from: start.slice(0, 10),
    fromTime: start.slice(11),
    to: today,
    toTime: now.slice(11, 16),
  };
}

function comparedWith({ compare, interval }: SentQuestion, period: Period, now: string): Period | undefined {
  if (compare === undefined) return undefined;
  const { from, to, fromTime = '00:00', toTime = '23:59' } = period;
  const isMinutes = period.fromTime !== undefined;
  const spanMs = toMs(`${to} ${toTime}`) + minuteMs - toMs(`${from} ${fromTime}`);
  const back = (day: string, time: string) =>
    compare === 'previousYear'
      ? `${Number(day.slice(0, 4)) - 1}${day.slice(4)} ${time}`
      : toMinute(toMs(`${day} ${time}`) - spanMs).replace('T', ' ');
  const [start, end] = [back(from, fromTime), back(to, toTime)];
  const days = { from: start.slice(0, 10), to: end.slice(0, 10) };
  const isTodayAlone = interval === undefined && from === now.slice(0, 10);
  if (isTodayAlone && !isMinutes) return { ...days, fromTime: '00:00', toTime: now.slice(11, 16) };
  return isMinutes ? { ...days, fromTime: start.slice(11), toTime: end.slice(11) } : days;
}

const nothing: CountedRow['counts'] = {
  visitors: 0,
  visits: 0,
  pageViews: 0,
  events: 0,
  bounces: 0,
  durationMs: 0,
  converted: 0,
};

/** Returns the one row of the totals, or a row for every interval of a period. */
function inOrderOfTime(
  { interval }: SentQuestion,
  { from, to, fromTime = '00:00', toTime = '23:59' }: Period,
  rows: readonly CountedRow[],
): TimedRow[] {
  if (interval === undefined) return [rows[0]?.counts ?? nothing];
  const isOfDays = interval !== 'minute' && interval !== 'hour';
  const stepMs = isOfDays ? dayMs : interval === 'hour' ? 60 * minuteMs : minuteMs;
  const startMs = toMs(`${from} ${fromTime}`);
  const names = new Set<string>();
  for (let ms = startMs - (startMs % stepMs); ms <= toMs(`${to} ${toTime}`); ms += stepMs)
    names.add(isOfDays ? startOf(interval, toDay(ms)) : toMinute(ms));
  const counted = new Map(rows.map(({ time, counts }) => [time, counts]));
  return [...names].map((time) => ({ time, ...(counted.get(time) ?? nothing) }));
}

type TimedRow = CountedRow['counts'] & { time?: string };
type OfPeriod = { of: Period; rows: readonly TimedRow[] };

/** Returns the row that one is compared with; null if there is none. */
function sameInterval(sent: SentQuestion, now: OfPeriod, before: OfPeriod, row: TimedRow): TimedRow | null {
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
function partnerOf(
  { interval, compare }: SentQuestion,
  period: Period,
  before: Period,
  time: string,
): string {
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

/** Tells which minutes of an interval are within a period: how many, and which, counted from its start. */
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

function startOf(interval: Interval, day: string): string {
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  if (interval === 'day') return day;
  let ms = toMs(`${day} 00:00`);
  while (new Date(ms).getUTCDay() !== 1) ms -= dayMs;
  return toDay(ms);
}

function listOf(
  sent: SentQuestion,
  rows: readonly CountedRow[],
  before: readonly CountedRow[] | undefined,
): Omit<ExpectedAnswer, 'visitorsAre'> {
  const isSeriesOfEach = sent.interval !== undefined;
  const first = sent.metrics?.[0] ?? 'visitors';
  const order = sent.order ?? (isSeriesOfEach ? [] : [{ by: first, descending: true }]);
  const sorted = rows.toSorted((a, b) => {
    for (const { by, descending = false } of order) {
      const difference =
        by === 'dimension' ? byKeys(a, b) : (numberOf(by, a.counts) ?? 0) - (numberOf(by, b.counts) ?? 0);
      if (difference !== 0) return descending ? -difference : difference;
    }
    return byKeys(a, b);
  });
  const { offset = 0, limit = isSeriesOfEach ? 10_000 : 100 } = sent;
  const sameAs = (row: CountedRow) =>
    before?.find(({ values }) => JSON.stringify(values) === JSON.stringify(row.values))?.counts ?? nothing;
  return {
    totalRows: rows.length,
    rows: sorted.slice(offset, offset + limit).map((row) => ({
      ...toRow(
        sent,
        { ...row.counts, ...(row.time !== undefined && { time: row.time }) },
        before && sameAs(row),
      ),
      dimensions: Object.fromEntries(keysOf(sent).map(({ dimension }, at) => [dimension, row.values[at]!])),
    })),
  };
}

function byKeys(a: CountedRow, b: CountedRow): number {
  const keys = ({ time = '', values }: CountedRow) => [time, ...values];
  const others = keys(b);
  return keys(a).reduce(
    (found, key, at) => found || Buffer.compare(Buffer.from(key), Buffer.from(others[at]!)),
    0,
  );
}

function toRow(
  { metrics = ['visitors'] }: SentQuestion,
  { time, ...counts }: TimedRow,
  before: TimedRow | null | undefined,
): Row {
  const numbers = (of: CountedRow['counts']): Numbers =>
    Object.fromEntries(metrics.map((name) => [name, numberOf(name, of)]));
  return {
    ...(time !== undefined && { time }),
    dimensions: {},
    metrics: numbers(counts),
    ...(before?.time !== undefined && { comparisonTime: before.time }),
    ...(before !== undefined && { comparison: before && numbers(before) }),
  };
}

function numberOf(metric: TestedMetric, counts: CountedRow['counts']): number | null {
  if (metric === 'bounceRate') return counts.visits === 0 ? null : counts.bounces / counts.visits;
  if (metric === 'visitDuration')
    return counts.visits === 0 ? null : counts.durationMs / (1000 * counts.visits);
  return counts[metric];
}
