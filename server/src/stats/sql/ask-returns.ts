import type { WebsiteStore } from '../../store/website-store.ts';
import { wholeDay } from '../days/build-rollups.ts';
import { usualLargeDays } from '../days/large-days.ts';
import { againOf } from '../days/look-back.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import { Parameters } from '../question/dimensions.ts';
import type { Question } from '../question/read-question.ts';
import { type Counted, dayTimeSql, firstDaySql } from './ask-visits.ts';
import type { LooksOf } from './kept-looks.ts';

type Row = { dimension: string; time: string; value: string; visitors: number };

/**
 * Subtracts visitors who were counted on several days from answers to which days were added up, because each
 * visitor with a ClientId counts only on the first of the days. Returns undefined if that isn't known for all
 * days. Lists must have all of their values.
 */
export async function lessReturns(
  store: WebsiteStore,
  questions: readonly Question[],
  days: readonly BuiltDay[],
  looksOf: LooksOf,
  addUp: () => Promise<Counted[]>,
): Promise<Counted[] | undefined> {
  const clients = days.reduce((sum, day) => sum + day.clients, 0);
  // With fewer, nobody looks back, and adding up is of no use.
  const early = clients >= usualLargeDays.lookFromClients ? addUp() : undefined;
  early?.catch(() => {});
  const looks = await looksOf(store, days);
  if (looks === undefined) return undefined;
  const [counted, returns] = await Promise.all([early ?? addUp(), askReturns(store, questions, days, looks)]);
  return questions.map((question, at) => {
    const { rows, totalRows } = counted[at]!;
    const ofQuestion = returns.get(dimensionIn(question));
    const less = (time: string | undefined, value: string | undefined) =>
      ofQuestion?.get(time ?? value ?? '') ?? 0;
    return {
      totalRows,
      rows: rows.map((row) => {
        const visitors = row.counts.visitors - less(row.time, row.values[0]);
        return { ...row, counts: { ...row.counts, visitors } };
      }),
    };
  });
}

const dimensionIn = ({ dimensions }: Question) => againOf(dimensions[0]?.dimension ?? wholeDay);

/** Finds how many visitors of each value, or interval, had been there before within the days or the interval. */
async function askReturns(
  store: WebsiteStore,
  questions: readonly Question[],
  days: readonly BuiltDay[],
  looks: readonly string[],
): Promise<Map<string, Map<string, number>>> {
  const parameters = new Parameters();
  const inOrder = days.map(({ day }) => day).toSorted();
  const from = parameters.add('Date', inOrder[0]);
  const { interval } = questions[0]!;
  const isOfDays = interval === 'day' || interval === 'week' || interval === 'month';
  const [time, since] = isOfDays
    ? [dayTimeSql[interval], `greatest(${from}, ${firstDaySql[interval]})`]
    : ["''", from];
  const builds = days.map(({ build }) => BigInt(build));
  const rows = await store.query<Row>({
    query: `
      select dimension, ${time} as time, value, sum(r.visitors) as visitors
      from rollups as r
      where website_id = {website_id:UInt32}
        and dimension in ${parameters.add('Array(String)', [...new Set(questions.map(dimensionIn))])}
        and day between ${from} and ${parameters.add('Date', inOrder.at(-1))}
        and build in ${parameters.add('Array(UInt64)', builds)}
        and look in ${parameters.add('Array(UInt64)', looks.map(BigInt))}
        and last_day >= ${since}
      group by dimension, time, value`,
    params: parameters.values,
    isQuick: true,
  });
  const byDimension = Map.groupBy(rows, ({ dimension }) => dimension);
  const toVisitors = (of: readonly Row[]) =>
    new Map(of.map((row) => [isOfDays ? row.time : row.value, Number(row.visitors)]));
  return new Map([...byDimension].map(([dimension, of]) => [dimension, toVisitors(of)]));
}
