import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Filter, Goal, Key } from '@trackside/contract/stats/questions.ts';
/**
 * A second implementation of whole answers: what a question means if members are left out, and how rows are
 * ordered, cut and compared. Written from docs/statistics.md, over records in memory. It shares nothing with
 * the code that reads and answers questions.
 */
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { askOracle } from './oracle.ts';
import { filterAsShown } from './oracle-addresses.ts';
import { sameInterval, type TimedRow } from './oracle-pairs.ts';
import type { TestRecord } from './records.ts';

export type SentPeriod = string | { from: string; to: string } | { lastMinutes: number };

/** A question as somebody sends it. Every member can be left out. */
export type SentQuestion = {
  period?: SentPeriod;
  interval?: Interval;
  metrics?: readonly TestedMetric[];
  dimensions?: readonly TestedDimension[];
  filters?: readonly Filter[];
  goal?: string | Goal;
  compare?: 'previousPeriod' | 'sameWeekdays' | 'previousYear' | SentPeriod;
  order?: readonly { by: TestedMetric | 'dimension'; descending?: boolean }[];
  limit?: number;
  offset?: number;
};
export const testedMetrics = [
  'visitors',
  'visits',
  'pageViews',
  'events',
  'viewsPerVisit',
  'bounceRate',
  'visitDuration',
  'eventsPerVisitor',
  'conversions',
  'conversionRate',
] as const;
export type TestedMetric = (typeof testedMetrics)[number];
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
      filters: (sent.filters ?? []).map(filterAsShown),
      metrics: [],
      order: [],
      limit: 0,
      offset: 0,
      dimensions: keysOf(sent),
      ...(sent.interval !== undefined && { interval: sent.interval }),
      ...(sent.goal !== undefined && {
        goal: typeof sent.goal === 'string' ? { event: sent.goal } : sent.goal,
      }),
    });
  const compared = comparedWith(sent, period, records, now);
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
  const ofVisitors: TestedMetric[] = ['visitors', 'eventsPerVisitor', 'conversions', 'conversionRate'];
  if (!metrics.some((metric) => ofVisitors.includes(metric))) return undefined;
  const within = records.filter(({ day }) => day >= from && day <= to);
  const isOfDays = interval === undefined || interval === 'week' || interval === 'month';
  if (!isOfDays || new Set(within.map(({ day }) => day)).size < 2) return 'distinct';
  const people = within.filter(({ isBot }) => !isBot);
  if (!people.some(({ hasClientId }) => hasClientId)) return 'daily';
  return people.every(({ hasClientId }) => hasClientId) ? 'distinct' : 'mixed';
}

const keysOf = ({ dimensions = [] }: SentQuestion): Key[] => dimensions.map((dimension) => ({ dimension }));

export function periodOf(period: SentPeriod, records: readonly TestRecord[], now: string): Period {
  const today = now.slice(0, 10);
  const daysAgo = (days: number) => toDay(toMs(today) - days * dayMs);
  const monthStart = `${today.slice(0, 7)}-01`;
  const monthBefore = toDay(toMs(monthStart) - dayMs);
  const named: Record<string, Period> = {
    today: { from: today, to: today },
    yesterday: { from: daysAgo(1), to: daysAgo(1) },
    thisWeek: { from: startOf('week', today), to: today },
    thisMonth: { from: monthStart, to: today },
    lastMonth: { from: `${monthBefore.slice(0, 7)}-01`, to: monthBefore },
    thisYear: { from: `${today.slice(0, 4)}-01-01`, to: today },
  };
  if (typeof period === 'string' && named[period] !== undefined) return named[period];
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

function comparedWith(
  { compare, interval }: SentQuestion,
  period: Period,
  records: readonly TestRecord[],
  now: string,
): Period | undefined {
  if (compare === undefined) return undefined;
  if (compare !== 'previousPeriod' && compare !== 'sameWeekdays' && compare !== 'previousYear') {
    const other = periodOf(compare, records, now);
    const isTodayAndDay = period.from === now.slice(0, 10) && other.from === other.to;
    const isCut = isTodayAndDay && interval === undefined && typeof compare === 'string';
    return isCut ? { ...other, fromTime: '00:00', toTime: now.slice(11, 16) } : other;
  }
  const { from, to, fromTime = '00:00', toTime = '23:59' } = period;
  const isMinutes = period.fromTime !== undefined;
  const spanMs = toMs(`${to} ${toTime}`) + minuteMs - toMs(`${from} ${fromTime}`);
  const weekMs = 7 * dayMs;
  const backMs = compare === 'sameWeekdays' ? Math.ceil(spanMs / weekMs) * weekMs : spanMs;
  const back = (day: string, time: string) =>
    compare === 'previousYear'
      ? `${Number(day.slice(0, 4)) - 1}${day.slice(4)} ${time}`
      : toMinute(toMs(`${day} ${time}`) - backMs).replace('T', ' ');
  const [start, end] = [back(from, fromTime), back(to, toTime)];
  const days = { from: start.slice(0, 10), to: end.slice(0, 10) };
  // The periods of these tests end before today, or with it.
  const isCut = interval === undefined && to === now.slice(0, 10);
  // Seven days and more are compared up to a full ten minutes.
  const isLong = spanMs >= weekMs;
  const until = isLong ? `${now.slice(11, 15)}0` : now.slice(11, 16);
  if (isCut && !isMinutes) return { ...days, fromTime: '00:00', toTime: until };
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
  const { visitors, visits, pageViews, events, bounces, durationMs, converted } = counts;
  switch (metric) {
    case 'viewsPerVisit':
      return visits === 0 ? null : pageViews / visits;
    case 'bounceRate':
      return visits === 0 ? null : bounces / visits;
    case 'visitDuration':
      return visits === 0 ? null : durationMs / (1000 * visits);
    case 'eventsPerVisitor':
      return visitors === 0 ? null : events / visitors;
    case 'conversions':
      return converted;
    case 'conversionRate':
      return visitors === 0 ? null : converted / visitors;
    default:
      return counts[metric];
  }
}
