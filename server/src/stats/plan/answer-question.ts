import { createHasInterval } from '@trackside/contract/calendar/has-interval.ts';
import { listIntervals } from '@trackside/contract/calendar/intervals.ts';
import { pairIntervals } from '@trackside/contract/calendar/pair-intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { type Counts, metrics, noCounts } from '../question/metrics.ts';
import { type AskedQuestion, isSeries, type Question } from '../question/read-question.ts';
import type { CountedRow } from '../sql/ask-visits.ts';
import { countUntil } from './count-until.ts';
import type { Screen } from './plan-screen.ts';

/** The answer to a question, without what every answer has, such as the website. */
export type Answer = WithoutAbout<Answers['query']>;

/** A row as it was counted, and what it is compared with: null if there is nothing to compare it with. */
type ComparedRow = CountedRow & { before?: Counts | null; comparisonTime?: string | undefined };

/** Counts, compares, fills the gaps of a series, and turns the counts into metrics. */
export async function answerQuestion(
  screen: Pick<Screen, 'count' | 'ready'>,
  { question, comparison, before: asked }: AskedQuestion,
  timezone: string,
): Promise<Answer> {
  const { count } = screen;
  const isOfTimes = isSeries(question);
  const [counted, seriesBefore, totalsBefore] = await Promise.all([
    count(question),
    asked && isOfTimes ? count(asked) : undefined,
    asked && !isOfTimes ? countUntil(screen, asked) : undefined,
  ]);
  let rows: ComparedRow[] = isOfTimes ? fillSeries(question, counted.rows, timezone) : counted.rows;
  if (comparison !== undefined) {
    if (seriesBefore !== undefined)
      rows = compareSeries(question, comparison, rows, seriesBefore.rows, timezone);
    else if (totalsBefore !== undefined) rows = rows.map((row) => ({ ...row, before: totalsBefore }));
    else rows = await compareRows(count, question, comparison, rows);
  }
  return {
    period: question.period,
    ...(comparison !== undefined && { comparison }),
    totalRows: isOfTimes ? rows.length : counted.totalRows,
    answeredFrom: counted.from,
    rows: rows.map((row) => toAnswerRow(question, row)),
  };
}

function toAnswerRow(question: Question, row: ComparedRow): Answer['rows'][number] {
  const { time, values, counts, before, comparisonTime } = row;
  return {
    ...(time !== undefined && { time }),
    dimensions: Object.fromEntries(question.dimensions.map((key, at) => [key.dimension, values[at]!])),
    metrics: toMetrics(question, counts),
    ...(comparisonTime !== undefined && { comparisonTime }),
    ...(before !== undefined && { comparison: before && toMetrics(question, before) }),
  };
}

/** Counts the comparison period for the values of each row. */
async function compareRows(
  count: Screen['count'],
  question: Question,
  period: Period,
  rows: readonly CountedRow[],
): Promise<ComparedRow[]> {
  const byValues = new Map<string, Counts>();
  for (const part of inParts(rows)) {
    const filters = [...question.filters, ...onlyValuesOf(question, part)];
    const only = hasOtherRows(question) && { only: part.map(({ values }) => values) };
    const asked = { ...question, period, filters, ...only, limit: comparedRows, offset: 0 };
    const { rows: found } = await count(asked);
    for (const { values, counts } of found) byValues.set(JSON.stringify(values), counts);
  }
  return rows.map((row) => ({ ...row, before: byValues.get(JSON.stringify(row.values)) ?? noCounts }));
}

/** More rows than there are in a part, so that none of them is left out. */
const comparedRows = 100_000;
/** Values appear in a statement twice. Together with the filters, they must fit into what the store takes. */
const partBytes = 256 * 1024;

/** Splits rows into parts whose values fit into one statement. */
function inParts(rows: readonly CountedRow[]): CountedRow[][] {
  const parts: CountedRow[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const added = row.values.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    if (bytes + added > partBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(row);
    bytes += added;
  }
  return parts;
}

/**
 * Whether filters on the values alone could find more rows than the ones they come from: records with these
 * values can have other values too, or other combinations of them.
 */
function hasOtherRows({ dimensions }: Question): boolean {
  return dimensions.length > 1 || dimensions.some(({ dimension }) => dimensionOf(dimension).level === 'list');
}

/** Filters that let through only the values of these rows. */
function onlyValuesOf({ dimensions }: Question, rows: readonly CountedRow[]): Filter[] {
  return dimensions.map((key, at) => ({
    ...key,
    anyOf: [...new Set(rows.map(({ values }) => values[at]!))],
  }));
}

/** An hour that clocks skipped has no row, unless it has records from when the website had another timezone. */
function fillSeries(
  { interval, period }: Question,
  rows: readonly CountedRow[],
  timezone: string,
): CountedRow[] {
  const byTime = new Map(rows.map((row) => [row.time, row]));
  const hasInterval = createHasInterval(interval!, timezone);
  return listIntervals(interval!, period)
    .filter((time) => byTime.has(time) || hasInterval(time))
    .map((time) => byTime.get(time) ?? { time, values: [], counts: noCounts });
}

/** Compares each interval of a series with the one of the other period that means the same. */
function compareSeries(
  { interval, period }: Question,
  comparison: Period,
  rows: readonly CountedRow[],
  before: readonly CountedRow[],
  timezone: string,
): ComparedRow[] {
  const byTime = new Map(before.map(({ time, counts }) => [time, counts]));
  const hasInterval = createHasInterval(interval!, timezone);
  const pairs = pairIntervals(interval!, period, comparison);
  const partners = new Map(pairs.map((pair) => [pair.time, pair.before]));
  return rows.map((row): ComparedRow => {
    const time = partners.get(row.time!);
    const found = byTime.get(time);
    // Zero would say that nobody came, in an hour that clocks left out.
    if (time === undefined || (found === undefined && !hasInterval(time))) return { ...row, before: null };
    return { ...row, comparisonTime: time, before: found ?? noCounts };
  });
}

function toMetrics(question: Question, counts: Counts): Partial<Record<MetricName, number | null>> {
  return Object.fromEntries(question.metrics.map((name) => [name, metrics[name].of(counts)]));
}
