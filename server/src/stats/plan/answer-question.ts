import { listIntervals } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { type Counts, metrics, noCounts } from '../question/metrics.ts';
import { type AskedQuestion, isSeries, type Question } from '../question/read-question.ts';
import type { CountedRow } from '../sql/ask-visits.ts';
import type { Screen } from './plan-screen.ts';

/** The answer to a question, without what every answer has, such as the website. */
export type Answer = WithoutAbout<Answers['query']>;

/** Counts, compares, fills the gaps of a series, and makes metrics of the counts. */
export async function answerQuestion(
  { count }: Pick<Screen, 'count'>,
  { question, comparison, before: asked }: AskedQuestion,
): Promise<Answer> {
  const [counted, wholeBefore] = await Promise.all([count(question), asked && count(asked)]);
  const rows = isSeries(question) ? fillSeries(question, question.period, counted.rows) : counted.rows;
  let before: Counts[] | undefined;
  if (comparison !== undefined) {
    if (wholeBefore === undefined) before = await compareRows(count, question, comparison, rows);
    else {
      const found = isSeries(question)
        ? fillSeries(question, comparison, wholeBefore.rows)
        : wholeBefore.rows;
      before = found.map(({ counts }) => counts);
    }
  }
  return {
    period: question.period,
    ...(comparison !== undefined && { comparison }),
    totalRows: isSeries(question) ? rows.length : counted.totalRows,
    answeredFrom: counted.from,
    rows: rows.map((row, index) => ({
      ...(row.time !== undefined && { time: row.time }),
      dimensions: Object.fromEntries(question.dimensions.map((key, at) => [key.dimension, row.values[at]!])),
      metrics: toMetrics(question, row.counts),
      ...(before !== undefined && { comparison: toMetrics(question, before[index] ?? noCounts) }),
    })),
  };
}

/** Counts the comparison period for the values of each row. */
async function compareRows(
  count: Screen['count'],
  question: Question,
  period: Period,
  rows: readonly CountedRow[],
): Promise<Counts[]> {
  const byValues = new Map<string, Counts>();
  for (const part of inParts(rows)) {
    const filters = [...question.filters, ...onlyValuesOf(question, part)];
    const only = hasOtherRows(question) && { only: part.map(({ values }) => values) };
    const asked = { ...question, period, filters, ...only, limit: comparedRows, offset: 0 };
    const { rows: found } = await count(asked);
    for (const { values, counts } of found) byValues.set(JSON.stringify(values), counts);
  }
  return rows.map(({ values }) => byValues.get(JSON.stringify(values)) ?? noCounts);
}

/** More rows than there are in a part, so that none of them is left out. */
const comparedRows = 100_000;
/** Values stand in a statement twice. Together with the filters, they must fit into what the store takes. */
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

function fillSeries(question: Question, period: Period, rows: readonly CountedRow[]): CountedRow[] {
  const byTime = new Map(rows.map((row) => [row.time, row]));
  return listIntervals(question.interval!, period).map(
    (time) => byTime.get(time) ?? { time, values: [], counts: noCounts },
  );
}

function toMetrics(question: Question, counts: Counts): Partial<Record<MetricName, number | null>> {
  return Object.fromEntries(question.metrics.map((name) => [name, metrics[name].of(counts)]));
}
