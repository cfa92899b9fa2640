import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { dimensionOf, Parameters } from '../question/dimensions.ts';
import { countsSql, neededCounts } from '../question/metrics.ts';
import { isSeries, isTop, type Question } from '../question/read-question.ts';
import {
  askVisits,
  type Counted,
  chosenSql,
  firstDaySql,
  sortedSql,
  type Top,
  toCounted,
  topSql,
} from './ask-visits.ts';

type Tops = Record<`top${number}`, Top>;
type SplitRow = { split: string; total: number } & Tops;
/** What the visits are split by for one question, and the SQL for the rows that it wants. */
type Split = { name: string; sql: string; isOptional: boolean; rows: string };

/** A series may not have more than these. */
const maxIntervals = 10_000;

/**
 * Chooses the visits once and counts them for all questions: the whole, a series, the top of several
 * dimensions. That takes hardly longer than for one of them.
 */
export async function scanVisits(
  store: WebsiteStore,
  questions: readonly Question[],
  builds: readonly DayBuild[],
): Promise<Counted[]> {
  const [only, ...others] = questions;
  if (others.length === 0) return [await askVisits(store, only!, builds)];
  const parameters = new Parameters();
  const splits = questions.map(splitOf);
  const keys = [...new Map(splits.map((split) => [split.name, split])).values()].map((split, at) => ({
    ...split,
    key: `key${at}`,
  }));
  const needed = new Set(questions.flatMap((question) => [...neededCounts(question)]));
  const wanted = [...new Set(splits.map(({ rows }) => rows))];
  const optional = keys.filter(({ isOptional }) => isOptional).map(({ name }) => name);
  const named = keys.map(({ key, sql }) => ({ name: key, sql, level: 'visit' as const, arrays: [] }));
  // The store counts for all keys in one pass, each with a table of its own and in its own type, so nothing
  // is turned into text before it is counted.
  const ofGroup = (textOf: (key: (typeof keys)[number]) => string) =>
    keys.reduce((others, key) => `if(grouping(${key.key}) = 0, ${textOf(key)}, ${others})`, "''");
  const query = `
    select split, count() as total, ${wanted.map((rows, at) => `${rows} as top${at}`).join(', ')}
    from (
      select
        ${ofGroup(({ name }) => `'${name}'`)} as split, ${ofGroup(({ key }) => `toString(${key})`)} as value,
        ${countsSql('ofVisits', { needed, isDifference: questions[0]!.change !== undefined })}
      from (${chosenSql(questions[0]!, builds, parameters, named)})
      group by grouping sets (${keys.map(({ key }) => `(${key})`).join(', ')})
    )
    where value != '' or split not in ${parameters.add('Array(String)', optional)}
    group by split`;
  const found = await store.query<SplitRow>({
    query,
    params: parameters.values,
    settings: { max_threads: 1 },
  });
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
    // All visits are of one website.
    const [name, sql] = interval === undefined ? ['whole', 'website_id'] : [interval, startSql(interval)];
    return { name, sql, isOptional: false, rows: sortedSql(maxIntervals, ['0']) };
  }
  const { sql, isOptional } = dimensionOf(key.dimension);
  return { name: key.dimension, sql, isOptional, rows: topSql({ order, limit }) };
}

function startSql(interval: Interval): string {
  assert(interval !== 'minute' && interval !== 'hour', 'A visit can lie in several hours.');
  return firstDaySql[interval];
}

/** Whether one statement over the visits can answer both questions. */
export function canScanTogether(one: Question, other: Question): boolean {
  const isAboutSameVisits =
    isDeepStrictEqual(one.period, other.period) &&
    isDeepStrictEqual(one.filters, other.filters) &&
    isDeepStrictEqual(one.change, other.change) &&
    isDeepStrictEqual(one.goal, other.goal);
  return isAboutSameVisits && canBeScanned(one) && canBeScanned(other);
}

/** Whether a question can share its statement: it has no more than one value for each visit. */
function canBeScanned(question: Question): boolean {
  const { dimensions, filters, interval, offset } = question;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (isSeries(question)) return interval !== 'minute' && interval !== 'hour';
  if (dimensions.length === 0) return offset === 0;
  return isTop(question) && dimensionOf(dimensions[0]!.dimension).level === 'visit';
}
