import { isDeepStrictEqual } from 'node:util';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { dimensionOf, Parameters } from '../question/dimensions.ts';
import { countsSql, joinedCountsSql, neededCounts, partialCountsSql } from '../question/metrics.ts';
import { isDifference, isSeries, isTop, type Question } from '../question/read-question.ts';
import { askVisits, type Counted, chosenSql, type Top, toCounted } from './ask-visits.ts';
import { groupKeys, type KeyGroup, unknownPlace } from './group-keys.ts';
import { type FewValues, readFewValues } from './read-few-values.ts';
import { isDimension, type SplitKey, splitOf } from './split-of.ts';

type Tops = Record<`top${number}`, Top>;
type SplitRow = { split: number; total: number } & Tops;

const noValues: FewValues = new Map();

/**
 * Chooses the visits once and counts them for all questions: the whole, a series, the top of several
 * dimensions. That takes hardly longer than for one of them. If `areMany`, it is worth knowing first which
 * dimensions have few values.
 */
export async function scanVisits(
  store: WebsiteStore,
  questions: readonly Question[],
  builds: readonly DayBuild[],
  areMany: boolean,
): Promise<Counted[]> {
  const [only, ...others] = questions;
  if (others.length === 0) return [await askVisits(store, only!, builds)];
  const splits = questions.map(splitOf);
  const places = [...new Set(splits.map(({ of }) => of))];
  const keys = places.map((of, place): SplitKey => {
    const split = splits.find((one) => one.of === of)!;
    return { ...split, name: `key${place}`, place };
  });
  const wanted = [...new Set(splits.map(({ rows }) => rows))];
  const values = areMany ? await valuesOf(store, questions, keys, builds) : noValues;
  const rowOf = await readSplits(store, questions, keys, wanted, builds, values);
  return questions.map((question, at) => {
    const row = rowOf.get(places.indexOf(splits[at]!.of));
    const top = row?.[`top${wanted.indexOf(splits[at]!.rows)}`] ?? [];
    return toCounted(question, row?.total ?? 0, top);
  });
}

/** Reads the wanted rows of each key, by its place. */
async function readSplits(
  store: WebsiteStore,
  questions: readonly Question[],
  keys: readonly SplitKey[],
  wanted: readonly string[],
  builds: readonly DayBuild[],
  values: FewValues,
): Promise<Map<number, SplitRow>> {
  const parameters = new Parameters();
  const optional = keys.filter(({ isOptional }) => isOptional).map(({ place }) => place);
  const counted = areEntries(questions)
    ? countEntriesSql(questions, keys, builds, parameters)
    : countSplitsSql(questions, keys, builds, parameters, values);
  const query = `
    select split, count() as total, ${wanted.map((rows, at) => `${rows} as top${at}`).join(', ')}
    from (${counted})
    where value != '' or split not in ${parameters.add('Array(UInt8)', optional)}
    group by split`;
  const found = await store.query<SplitRow>({
    query,
    params: parameters.values,
    settings: { max_threads: 1 },
  });
  const rowOf = new Map(found.map((row) => [row.split, row]));
  // A text that isn't valid Unicode is a different one after it was read.
  if (rowOf.has(unknownPlace)) return await readSplits(store, questions, keys, wanted, builds, noValues);
  return rowOf;
}

/** Finds the values of keys that can be counted together. A difference is about few visits. */
async function valuesOf(
  store: WebsiteStore,
  questions: readonly Question[],
  keys: readonly SplitKey[],
  builds: readonly DayBuild[],
): Promise<FewValues> {
  const [{ period }] = questions as [Question];
  if (areEntries(questions) || questions.some(isDifference)) return noValues;
  const dimensions = keys.flatMap(({ of }) => (isDimension(of) && dimensionOf(of).isRolledUp ? [of] : []));
  return await readFewValues(store, dimensions, period, builds);
}

/**
 * Counts visits by all keys in one pass, each with its own table and in its own type, so nothing is
 * turned into text before it is counted. Keys with few values are counted together.
 */
function countSplitsSql(
  questions: readonly Question[],
  keys: readonly SplitKey[],
  builds: readonly DayBuild[],
  parameters: Parameters,
  values: FewValues,
): string {
  if (values.size > 0)
    return countGroupsSql(
      questions,
      groupKeys(keys, values, questions[0]!.period, parameters),
      builds,
      parameters,
    );
  const ofGroup = (sqlOf: (key: SplitKey) => string, otherwise: string) =>
    keys.reduce((others, key) => `if(grouping(${key.name}) = 0, ${sqlOf(key)}, ${others})`, otherwise);
  return `
    select
      ${ofGroup(({ place }) => `toUInt8(${place})`, 'toUInt8(0)')} as split,
      ${ofGroup(({ name }) => `toString(${name})`, "''")} as value,
      ${countsSql('ofVisits', countingOf(questions))}
    from (${chosenSql(allOf(questions), builds, parameters, keys)})
    group by grouping sets (${keys.map(({ name }) => `(${name})`).join(', ')})`;
}

/** Counts visits by groups of keys, and adds up each list from the combinations of values in its group. */
function countGroupsSql(
  questions: readonly Question[],
  groups: readonly KeyGroup[],
  builds: readonly DayBuild[],
  parameters: Parameters,
): string {
  const { needed } = countingOf(questions);
  const keys = groups.map(({ name, sql }) => ({ name, sql, level: 'visit' as const, arrays: [] }));
  const entries = groups.reduce(
    (others, { name, entries }) =>
      others === '' ? entries : `if(grouping(${name}) = 0, ${entries}, ${others})`,
    '',
  );
  return `
    select entry.1 as split, entry.2 as value, ${joinedCountsSql(needed)}
    from (
      select ${entries} as entries, ${partialCountsSql(needed)}
      from (${chosenSql(allOf(questions), builds, parameters, keys)})
      group by grouping sets (${groups.map(({ name }) => `(${name})`).join(', ')})
    )
    array join entries as entry
    group by split, value`;
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
  const question = { ...allOf(questions), dimensions: [] };
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

/** Returns a question about the same visits that needs the counts of all questions. */
function allOf(questions: readonly Question[]): Question {
  return {
    ...questions[0]!,
    metrics: questions.flatMap(({ metrics }) => metrics),
    order: questions.flatMap(({ order }) => order),
  };
}

function countingOf(questions: readonly Question[]) {
  const question = allOf(questions);
  return { needed: neededCounts(question), isDifference: isDifference(question) };
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
    isDeepStrictEqual(one.leftOutBy, other.leftOutBy) &&
    isDeepStrictEqual(one.goal, other.goal);
  const levels = areFew || one.change !== undefined ? ['visit', 'record'] : ['visit'];
  return isAboutSameVisits && [one, other].every((question) => canBeScanned(question, levels));
}

/**
 * Divides questions about the same days into those that one statement can answer. Whoever asks with filters has
 * found out whether few visits match. Without filters, all do.
 */
export function groupScans(questions: readonly Question[]): Question[][] {
  const groups: Question[][] = [];
  for (const question of questions) {
    const areFew = question.filters.length > 0;
    const known = groups.find(([first]) => canScanTogether(first!, question, areFew));
    if (known === undefined) groups.push([question]);
    else known.push(question);
  }
  return groups;
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
