import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Goal } from '@trackside/contract/stats/questions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { Parameters } from '../question/dimensions.ts';
import { reachedSql } from '../question/goal.ts';
import { visitorsSql } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import { chosenSql, dayTimeSql } from '../sql/ask-visits.ts';

/** An interval that no visit can be in two of. */
export type GoalInterval = Exclude<Interval, 'minute' | 'hour'>;

/** The visitors who reached each of the goals. */
export type GoalCounts = {
  whole: readonly number[];
  /** By the start of the interval. Intervals without conversions can be missing. */
  byTime: ReadonlyMap<string, readonly number[]>;
};

type Row = { time: string; isWhole: number; counts: number[] };

/**
 * Counts the visitors with a visit in which a goal was reached, for all goals in one pass over the visits. The
 * numbers are those that a question with each of these goals would have.
 */
export async function askGoals(
  store: WebsiteStore,
  question: Pick<Question, 'period' | 'filters'>,
  { goals, interval }: { goals: readonly Goal[]; interval?: GoalInterval | undefined },
  builds: readonly DayBuild[],
): Promise<GoalCounts> {
  const parameters = new Parameters();
  const ofVisit = (name: string, sql: string) => ({ name, sql, level: 'visit' as const, arrays: [] });
  const keys = goals.map((goal, at) => ofVisit(`goal${at}`, reachedSql(goal, parameters)));
  const counts = goals.map((_, at) => visitorsSql(`goal${at}`)).join(', ');
  const asked = { ...question, metrics: [], dimensions: [], order: [], limit: 1, offset: 0 };
  const query =
    interval === undefined
      ? `
    select '' as time, 1 as isWhole, [${counts}] as counts
    from (${chosenSql(asked, builds, parameters, keys)})`
      : `
    select time, grouping(time) as isWhole, [${counts}] as counts
    from (${chosenSql(asked, builds, parameters, [ofVisit('time', dayTimeSql[interval]), ...keys])})
    group by grouping sets ((), (time))`;
  const rows = await store.query<Row>({ query, params: parameters.values, settings: { max_threads: 1 } });
  return {
    whole: rows.find(({ isWhole }) => isWhole === 1)?.counts ?? goals.map(() => 0),
    byTime: new Map(rows.filter(({ isWhole }) => isWhole === 0).map(({ time, counts }) => [time, counts])),
  };
}
