import type { WebsiteStore } from '../../store/website-store.ts';
import { wholeDay } from '../days/build-rollups.ts';
import { type DayBuild, numbersOf } from '../days/ready-days.ts';
import { comparison, dimensionOf, negated, Parameters } from '../question/dimensions.ts';
import { type Counts, sumsOfRollups } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import { type Counted, dayTimeSql, pagedSql, pickCounts } from './ask-visits.ts';

type Row = { time?: string; v0?: string; total: number } & Counts;

/** Answers a question from the sums of each day. */
export async function askRollups(
  store: WebsiteStore,
  question: Question,
  builds: readonly DayBuild[],
  mayRepeat: boolean,
): Promise<Counted> {
  const parameters = new Parameters();
  const query = rollupsSql(question, builds, mayRepeat, parameters);
  const rows = await store.query<Row>({ query, params: parameters.values, isQuick: true });
  return {
    totalRows: Number(rows[0]?.total ?? 0),
    rows: rows.map((row) => ({
      time: row.time,
      values: question.dimensions.length === 0 ? [] : [row.v0!],
      counts: pickCounts(row),
    })),
  };
}

const rollupTimeSql = {
  hour: "concat(toString(day), 'T', value, ':00')",
  ...dayTimeSql,
} as const;

function rollupsSql(
  question: Question,
  builds: readonly DayBuild[],
  mayRepeat: boolean,
  parameters: Parameters,
): string {
  const { period, interval, dimensions } = question;
  const key = dimensions[0]?.dimension;
  const isWeekday = key === 'weekday';
  // Without a dimension, a filter picks one value of its own dimension, which is one row of the rollups.
  const split = key ?? question.filters[0]?.dimension;
  const dimension = interval === 'hour' ? 'hour' : split === undefined || isWeekday ? wholeDay : split;
  const conditions = question.filters.map((filter) =>
    negated(filter, comparison(filter, parameters)('value')),
  );
  const keys: [name: string, sql: string][] = [];
  if (interval !== undefined && interval !== 'minute') keys.push(['time', rollupTimeSql[interval]]);
  if (key !== undefined) keys.push(['v0', isWeekday ? 'toString(toDayOfWeek(day))' : 'value']);
  const isOptional = key !== undefined && dimensionOf(key).isOptional;
  // A visitor with a ClientId can come on several days, and counts once in all of them.
  const sums =
    mayRepeat && dimension === wholeDay
      ? sumsOfRollups('sum(r.visitors) - sum(finalizeAggregation(clients)) + uniqExactMerge(clients)')
      : sumsOfRollups();
  // A value that a change has taken away is still in the base. Both together have no visit.
  const grouped = `
    select
      ${keys.map(([name, sql]) => `${sql} as ${name}, `).join('')}
      ${sums}
    from rollups as r
    where website_id = {website_id:UInt32}
      and dimension = ${parameters.add('String', dimension)}
      and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
      and build in ${parameters.add('Array(UInt64)', builds.flatMap(numbersOf).map(BigInt))}
      ${isOptional ? "and value != ''" : ''}
      ${conditions.map((condition) => `and ${condition}`).join(' ')}
    ${keys.length > 0 ? `group by ${keys.map(([name]) => name).join(', ')} having visits > 0` : ''}`;
  return pagedSql(
    grouped,
    question,
    keys.map(([name]) => name),
    parameters,
  );
}
