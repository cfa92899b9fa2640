import { listIntervals } from '@trackside/contract/calendar/intervals.ts';
import { pairIntervals } from '@trackside/contract/calendar/pair-intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { AnswerRow } from '@trackside/contract/stats/answers.ts';
import type { Filter, Goal, Key } from '@trackside/contract/stats/questions.ts';
import type { Answer } from '../../../server/src/stats/plan/answer-question.ts';
import { type Counts, metrics } from '../../../server/src/stats/question/metrics.ts';
import { type Question, readQuestion } from '../../../server/src/stats/question/read-question.ts';
import { type CountedSite, chance, countsOf, visitorsIn, visitorsOfEach } from './stand-in-counts.ts';
import { type StandInValue, standInParameters, standInValues } from './stand-in-values.ts';

type Row = {
  time?: string;
  values: string[];
  counts: Counts;
  before?: Counts | null;
  comparisonTime?: string | undefined;
};

/** Answers a question about made-up visitors. The server's own reader refuses invalid questions. */
export function standInQuery(site: CountedSite, body: unknown): Answer {
  const { question, comparison } = readQuestion(body, site);
  const isList = question.dimensions.length > 0;
  const all = isList ? listRows(site, question, comparison) : series(site, question, comparison);
  const rows = isList ? sorted(all, question).slice(question.offset, question.offset + question.limit) : all;
  return {
    period: question.period,
    ...(comparison !== undefined && { comparison }),
    totalRows: all.length,
    answeredFrom: question.filters.length > 0 ? 'visits' : 'rollups',
    visitorsAre: question.period.from === question.period.to ? 'distinct' : 'mixed',
    rows: rows.map((row) => toAnswerRow(row, question)),
  };
}

function toAnswerRow({ time, values, counts, before, comparisonTime }: Row, question: Question): AnswerRow {
  const toMetrics = (of: Counts) =>
    Object.fromEntries(question.metrics.map((name) => [name, metrics[name].of(of)]));
  return {
    ...(time !== undefined && { time }),
    dimensions: Object.fromEntries(question.dimensions.map(({ dimension }, at) => [dimension, values[at]!])),
    metrics: toMetrics(counts),
    ...(comparisonTime !== undefined && { comparisonTime }),
    ...(before !== undefined && { comparison: before && toMetrics(before) }),
  };
}

/** The whole period in one row, or a row for each interval. */
function series(site: CountedSite, question: Question, comparison: Period | undefined): Row[] {
  const { interval, goal } = question;
  const share = shareOf(question.filters);
  const converting = goal === undefined ? 0 : shareOfGoal(goal);
  const count = (period: Period): { time?: string; counts: Counts }[] => {
    if (interval === undefined)
      return [{ counts: countsOf(share * visitorsIn(site, period), period.from, converting) }];
    const times = listIntervals(interval, period);
    return visitorsOfEach(site, times, period).map((visitors, index) => ({
      time: times[index]!,
      counts: countsOf(share * visitors, times[index]!, converting),
    }));
  };
  const rows = count(question.period).map((row) => ({ ...row, values: [] }));
  if (comparison === undefined) return rows;
  const before = new Map(count(comparison).map(({ time, counts }) => [time, counts]));
  if (interval === undefined) return rows.map((row) => ({ ...row, before: before.get(undefined) ?? null }));
  const pairs = pairIntervals(interval, question.period, comparison);
  return rows.map((row, index) => {
    const comparisonTime = pairs[index]?.before;
    return { ...row, comparisonTime, before: before.get(comparisonTime) ?? null };
  });
}

/** One row for each value of the last dimension. The values of the others are the ones that belong to it. */
function listRows(site: CountedSite, question: Question, comparison: Period | undefined): Row[] {
  const key = question.dimensions.at(-1)!;
  const [now, past] = [visitorsIn(site, question.period), comparison && visitorsIn(site, comparison)];
  const converting = question.goal === undefined ? 0 : 0.03;
  return valuesOf(key)
    .map((value) => {
      const share = value.share * shareWith(value, key, question.filters);
      const count = (visitors: number) => ofKind(countsOf(visitors * share, value.value, converting), key);
      return {
        values: question.dimensions.map((one) =>
          one === key ? value.value : (value.with?.[one.dimension] ?? valuesOf(one)[0]?.value ?? ''),
        ),
        counts: count(now),
        ...(past !== undefined && { before: count(past * (0.9 + 0.2 * chance(value.value))) }),
      };
    })
    .filter(({ counts }) => counts.visitors > 0);
}

/**
 * The share that filters leave of the visitors with a value: all or nothing where related values are known.
 */
function shareWith(value: StandInValue, key: Key, filters: readonly Filter[]): number {
  return filters.reduce((share, filter) => {
    const isOfKey = filter.dimension === key.dimension && filter.of === key.of;
    const known = isOfKey ? value.value : value.with?.[filter.dimension];
    if (known === undefined) return share * shareOf([filter]);
    return matches(filter, known) ? share : 0;
  }, 1);
}

/** Rows of pages have only the views of that page, and rows of events have no page views at all. */
function ofKind(counts: Counts, { dimension }: Key): Counts {
  if (dimension === 'page') return { ...counts, pageViews: Math.round(counts.visitors * 1.36) };
  if (dimension !== 'event' && dimension !== 'parameterName' && dimension !== 'parameterValue') return counts;
  return { ...counts, pageViews: 0, events: Math.round(counts.visitors * 1.2) };
}

function sorted(rows: readonly Row[], { order }: Question): Row[] {
  const compare = (a: Row, b: Row): number => {
    for (const { by, descending } of order) {
      const first =
        by === 'dimension'
          ? a.values.join().localeCompare(b.values.join())
          : (metrics[by].of(a.counts) ?? 0) - (metrics[by].of(b.counts) ?? 0);
      if (first !== 0) return descending ? -first : first;
    }
    return a.values.join().localeCompare(b.values.join());
  };
  return rows.toSorted(compare);
}

const valuesOf = ({ dimension, of }: Key): readonly StandInValue[] =>
  dimension === 'parameterValue' && of !== undefined
    ? (standInParameters[of] ?? [])
    : standInValues[dimension];

function matches(filter: Filter, value: string): boolean {
  if ('is' in filter) return value === filter.is;
  if ('isNot' in filter) return value !== filter.isNot;
  if ('contains' in filter) return value.toLowerCase().includes(filter.contains.toLowerCase());
  return filter.anyOf.includes(value);
}

/** The share of the visitors who reach a goal. */
export function shareOfGoal(goal: Goal): number {
  if ('event' in goal) return shareOf([{ dimension: 'event', is: goal.event }]);
  const [start = ''] = goal.page.split('*');
  return shareOf([{ dimension: 'page', ...(start === goal.page ? { is: start } : { contains: start }) }]);
}

/** The share of the visitors that match all filters. */
export function shareOf(filters: readonly Filter[]): number {
  return filters.reduce((share, filter) => {
    const found = valuesOf(filter).filter(({ value }) => matches(filter, value));
    return (
      share *
      Math.min(
        1,
        found.reduce((sum, { share: one }) => sum + one, 0),
      )
    );
  }, 1);
}
