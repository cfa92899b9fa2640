import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { type Dimension, dimensionOf, Parameters } from '../question/dimensions.ts';
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
type SplitRow = { split: number; total: number } & Tops;
/** What visits or records are split by for one question, and the SQL for the rows that it wants. */
type Split = Pick<Dimension, 'level' | 'sql' | 'arrays' | 'isOptional'> & { of: string; rows: string };
/** The same for all questions that split by it, with its place among all of them. */
type SplitKey = Split & { name: string; place: number };

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
  const places = [...new Set(splits.map(({ of }) => of))];
  const keys = places.map((of, place): SplitKey => {
    const split = splits.find((one) => one.of === of)!;
    return { ...split, name: `key${place}`, place };
  });
  const wanted = [...new Set(splits.map(({ rows }) => rows))];
  const optional = keys.filter(({ isOptional }) => isOptional).map(({ place }) => place);
  const counted = areEntries(questions) ? countEntriesSql : countSplitsSql;
  const query = `
    select split, count() as total, ${wanted.map((rows, at) => `${rows} as top${at}`).join(', ')}
    from (${counted(questions, keys, builds, parameters)})
    where value != '' or split not in ${parameters.add('Array(UInt8)', optional)}
    group by split`;
  const found = await store.query<SplitRow>({
    query,
    params: parameters.values,
    settings: { max_threads: 1 },
  });
  const rowOf = new Map(found.map((row) => [row.split, row]));
  return questions.map((question, at) => {
    const row = rowOf.get(places.indexOf(splits[at]!.of));
    const top = row?.[`top${wanted.indexOf(splits[at]!.rows)}`] ?? [];
    return toCounted(question, row?.total ?? 0, top);
  });
}

/**
 * Counts visits by all keys in one pass, each with its own table and in its own type, so nothing is
 * turned into text before it is counted.
 */
function countSplitsSql(
  questions: readonly Question[],
  keys: readonly SplitKey[],
  builds: readonly DayBuild[],
  parameters: Parameters,
): string {
  const ofGroup = (sqlOf: (key: SplitKey) => string, otherwise: string) =>
    keys.reduce((others, key) => `if(grouping(${key.name}) = 0, ${sqlOf(key)}, ${others})`, otherwise);
  return `
    select
      ${ofGroup(({ place }) => `toUInt8(${place})`, 'toUInt8(0)')} as split,
      ${ofGroup(({ name }) => `toString(${name})`, "''")} as value,
      ${countsSql('ofVisits', countingOf(questions))}
    from (${chosenSql(questions[0]!, builds, parameters, keys)})
    group by grouping sets (${keys.map(({ name }) => `(${name})`).join(', ')})`;
}

/**
 * Counts visits and their records by all keys in one pass. Each visit is split into entries, one for each key
 * of visits and one for each of its records and each key of records. That takes long, so it pays off only if
 * few visits are chosen from many.
 */
function countEntriesSql(
  questions: readonly Question[],
  keys: readonly SplitKey[],
  builds: readonly DayBuild[],
  parameters: Parameters,
): string {
  const entry = (place: number, ...[value, isFirst, views, events]: string[]) =>
    `(toUInt8(${place}), toString(${value})::String, ${isFirst}, toUInt32(${views}), toUInt32(${events}))`;
  const ofVisit = keys
    .filter(({ level }) => level === 'visit')
    .map(({ place, name }) => entry(place, name, 'true', 'matched_views', 'matched_events'));
  const ofRecords = keys
    .filter(({ level }) => level === 'record')
    .map(({ place, name }) => {
      const entries = `(v, e, n) -> ${entry(place, 'v', 'n = 1', 'not e', 'e')}`;
      return `arrayMap(${entries}, all_${name}, all_events, arrayEnumerateUniq(all_${name}))`;
    });
  // No key limits the visits of the others.
  const question = { ...questions[0]!, dimensions: [] };
  return `
    select split, value, ${countsSql('ofEntries', countingOf(questions))}
    from (
      select
        *, entry.1 as split, entry.2 as value, entry.3 as is_first,
        entry.4 as views_of_entry, entry.5 as events_of_entry
      from (${chosenSql(question, builds, parameters, keys)})
      array join arrayConcat([${ofVisit.join(', ')}], ${ofRecords.join(', ')}) as entry
    )
    group by split, value`;
}

function countingOf(questions: readonly Question[]) {
  const needed = new Set(questions.flatMap((question) => [...neededCounts(question)]));
  return { needed, isDifference: questions[0]!.change !== undefined };
}

function splitOf({ dimensions, interval, order, limit }: Question): Split {
  const [key] = dimensions;
  if (key === undefined) {
    // All visits are of one website.
    const [of, sql] = interval === undefined ? ['whole', 'website_id'] : [interval, startSql(interval)];
    const rows = sortedSql(maxIntervals, ['0']);
    return { of, level: 'visit', sql, arrays: [], isOptional: false, rows };
  }
  const { level, sql, arrays, isOptional } = dimensionOf(key.dimension);
  return { of: key.dimension, level, sql, arrays, isOptional, rows: topSql({ order, limit }) };
}

function startSql(interval: Interval): string {
  assert(interval !== 'minute' && interval !== 'hour', 'A visit can span several hours.');
  return firstDaySql[interval];
}

/**
 * Whether one statement over the visits can answer both questions. If few visits match the filters, lists of
 * their records can be counted along with them. Few visitors are in a change.
 */
export function canScanTogether(one: Question, other: Question, areFew: boolean): boolean {
  const isAboutSameVisits =
    isDeepStrictEqual(one.period, other.period) &&
    isDeepStrictEqual(one.filters, other.filters) &&
    isDeepStrictEqual(one.change, other.change) &&
    isDeepStrictEqual(one.goal, other.goal);
  const levels = areFew || one.change !== undefined ? ['visit', 'record'] : ['visit'];
  return isAboutSameVisits && [one, other].every((question) => canBeScanned(question, levels));
}

/** Whether a question can share its statement: it has at most one value for each visit, or each record. */
function canBeScanned(question: Question, levels: readonly string[]): boolean {
  const { dimensions, filters, interval, offset } = question;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (isSeries(question)) return interval !== 'minute' && interval !== 'hour';
  if (dimensions.length === 0) return offset === 0;
  // The statement doesn't know which rows are wanted.
  if (question.only !== undefined) return false;
  return isTop(question) && levels.includes(dimensionOf(dimensions[0]!.dimension).level);
}

/** Whether records are counted by their own value, not by that of their visit. */
export function isOfRecords({ dimensions }: Pick<Question, 'dimensions'>): boolean {
  return dimensions.some(({ dimension }) => dimensionOf(dimension).level === 'record');
}

/** Whether one statement counts all lists of a screen, so that no other one uses a second processor. */
export function areEntries(questions: readonly Question[]): boolean {
  return questions.length > 1 && questions.some(isOfRecords);
}
