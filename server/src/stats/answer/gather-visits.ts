import type { WebsiteStore } from '../../store/website-store.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { countNames, metrics } from '../question/metrics.ts';
import type { Question } from '../question/question.ts';
import { askVisits, type Counted, chosenSql, countsOfVisits, timeSql } from './ask-visits.ts';
import { createGatherer } from './create-gatherer.ts';
import { isList } from './gather-lists.ts';
import { Parameters } from './parameters.ts';
import { noCounts, toCounts } from './sum-counts.ts';

type Tops = Record<`top${number}`, [places: number[], value: string, ...counts: number[]][]>;
type Row = { split: string; total: number } & Tops;
/** By what the visits are split for one question, and which of the rows it wants in which order. */
type Split = { name: string; sql: string; isOptional: boolean; rows: string };

export type GatherVisits = ReturnType<typeof createGatherVisits>;

/** More intervals than a question may ask for. */
const maxIntervals = 10_000;

/**
 * The questions of one screen are about the same visits: the whole, a series, the top of several dimensions. The visits are
 * chosen once and counted for all of them, which takes hardly longer than for one.
 */
export function createGatherVisits() {
  const gather = createGatherer<Question, Counted>();

  return (
    store: WebsiteStore,
    question: Question,
    builds: readonly string[],
    signal?: AbortSignal,
  ): Promise<Counted> => {
    const { period, filters, goal } = question;
    const key = JSON.stringify([store.websiteId, period, filters, goal, builds]);
    const answerAll = async (questions: readonly Question[], untilGone: AbortSignal) => {
      const [only, ...others] = questions;
      if (others.length > 0) return await askTogether(store.until(untilGone), questions, builds);
      return [await askVisits(store.until(untilGone), only!, builds)];
    };
    return gather(key, question, answerAll, signal);
  };
}

/** Whether the visits can be chosen for a question together with others. */
export function isOfVisits(question: Question): boolean {
  const { dimensions, filters, interval } = question;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (dimensions.length === 0) return interval !== 'minute' && interval !== 'hour';
  return isList(question) && dimensionOf(dimensions[0]!.dimension).level === 'visit';
}

async function askTogether(
  store: WebsiteStore,
  questions: readonly Question[],
  builds: readonly string[],
): Promise<Counted[]> {
  const parameters = new Parameters();
  const splits = questions.map(splitOf);
  const byName = new Map(splits.map((split) => [split.name, split]));
  const wanted = [...new Set(splits.map(({ rows }) => rows))];
  const pairs = [...byName.values()].map(({ name, sql }) => `('${name}', toString(${sql}))`);
  const optional = [...byName.values()].filter(({ isOptional }) => isOptional).map(({ name }) => name);
  const key = { name: 'pairs', sql: `[${pairs.join(', ')}]`, level: 'visit' as const, arrays: [] };
  const query = `
    select split, count() as total, ${wanted.map((rows, at) => `${rows} as top${at}`).join(', ')}
    from (
      select pair.1 as split, pair.2 as value, ${countsOfVisits}
      from (${chosenSql(questions[0]!, builds, parameters, [key])})
      array join pairs as pair
      where value != '' or split not in ${parameters.add('Array(String)', optional)}
      group by split, value
    )
    group by split`;
  const found = await store.query<Row>({ query, params: parameters.values, settings: { max_threads: 1 } });
  const rowOf = new Map(found.map((row) => [row.split, row]));
  return questions.map((question, at) => {
    const row = rowOf.get(splits[at]!.name);
    const top = row?.[`top${wanted.indexOf(splits[at]!.rows)}`] ?? [];
    return toCounted(question, row?.total ?? 0, top);
  });
}

function splitOf({ dimensions, interval, order, limit }: Question): Split {
  const [key] = dimensions;
  if (key === undefined) {
    const [name, sql] = interval === undefined ? ['whole', "''"] : [interval, timeSql[interval]];
    return { name, sql, isOptional: false, rows: sortedSql(maxIntervals, ['0']) };
  }
  const { sql, isOptional } = dimensionOf(key.dimension);
  const places = order.map(
    ({ by, descending }) => `${descending ? '-' : ''}(${metrics[by as 'visitors'].sql})`,
  );
  return { name: key.dimension, sql, isOptional, rows: sortedSql(limit, places) };
}

function sortedSql(limit: number, places: readonly string[]): string {
  const keys = places.map((place) => `toFloat64(${place})`).join(', ');
  return `groupArraySorted(${Number(limit)})(tuple([${keys}], value, ${countNames.join(', ')}))`;
}

function toCounted({ dimensions, interval }: Question, total: number, top: Tops['top0']): Counted {
  const isSplit = dimensions.length > 0;
  const rows = top.map(([, value, ...counts]) => ({
    time: interval === undefined ? undefined : value,
    values: isSplit ? [value] : [],
    counts: toCounts(counts),
  }));
  if (!isSplit && interval === undefined && rows.length === 0)
    return { totalRows: 1, rows: [{ time: undefined, values: [], counts: noCounts }] };
  return { totalRows: total, rows };
}
