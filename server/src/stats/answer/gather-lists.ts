import type { WebsiteStore } from '../../store/of-website.ts';
import { type DimensionName, dimensionOf } from '../question/dimensions.ts';
import { type Counts, metrics } from '../question/metrics.ts';
import type { Question } from '../question/question.ts';
import { askRollups } from './ask-rollups.ts';
import { askVisits, type Counted, chosenSql, countsOfVisits } from './ask-visits.ts';
import { Parameters } from './parameters.ts';
import type { TakeTurns } from './take-turns.ts';

type Waiting = { question: Question; settle: (answer: Promise<Counted>) => void };
type Row = {
  dimension: DimensionName;
  total: number;
  top: [order: number[], value: string, ...counts: number[]][];
};

export type GatherLists = ReturnType<typeof createGatherLists>;

/** Long enough for the questions of one screen, which wait for the same days and go on together. */
const gatherMs = 1;

/**
 * A screen asks for the top of many dimensions at once. One statement answers all of them: it reads the sums of all, or
 * chooses the visits once, and takes hardly longer than for one of them alone.
 */
export function createGatherLists(takeTurns: TakeTurns) {
  const groups = new Map<string, Waiting[]>();

  return (
    store: WebsiteStore,
    question: Question,
    builds: readonly string[],
    from: 'rollups' | 'visits',
  ): Promise<Counted> => {
    const { period, order, limit, filters, goal } = question;
    const key = JSON.stringify([store.websiteId, from, period, order, limit, filters, goal, builds]);
    const { promise, resolve } = Promise.withResolvers<Counted>();
    const waiting = groups.get(key) ?? [];
    waiting.push({ question, settle: resolve });
    if (waiting.length === 1) {
      groups.set(key, waiting);
      setTimeout(() => {
        groups.delete(key);
        const ask = async () => flush(store, waiting, builds, from);
        const asked = from === 'rollups' ? ask() : takeTurns(store.websiteId, ask);
        asked.catch((error: unknown) => {
          for (const { settle } of waiting) settle(Promise.reject(error));
        });
      }, gatherMs);
    }
    return promise;
  };
}

/** Whether a question is one of those lists: the top of one dimension. */
export function isList({ dimensions, interval, offset, limit, order }: Question): boolean {
  return (
    dimensions.length === 1 &&
    dimensions[0]!.dimension !== 'weekday' &&
    interval === undefined &&
    offset === 0 &&
    limit <= 100 &&
    order.length > 0 &&
    order.every(({ by }) => by !== 'dimension')
  );
}

function flush(
  store: WebsiteStore,
  waiting: readonly Waiting[],
  builds: readonly string[],
  from: 'rollups' | 'visits',
): Promise<unknown> {
  const [first, ...others] = waiting;
  if (others.length === 0) {
    const { question, settle } = first!;
    const answer =
      from === 'visits' ? askVisits(store, question, builds) : askRollups(store, question, builds, false);
    settle(answer);
    return answer.catch(() => {});
  }
  const questions = waiting.map(({ question }) => question);
  const parameters = new Parameters();
  const sums =
    from === 'visits'
      ? sumsOfVisits(questions, builds, parameters)
      : sumsOfRollups(questions, builds, parameters);
  const answers = askTogether(store, questions, sums, parameters, from === 'rollups');
  for (const { question, settle } of waiting)
    settle(
      answers.then((found) => found.get(question.dimensions[0]!.dimension) ?? { rows: [], totalRows: 0 }),
    );
  return answers.catch(() => {});
}

/** The top of each dimension, from its sums for every value. */
async function askTogether(
  store: WebsiteStore,
  questions: readonly Question[],
  sums: string,
  parameters: Parameters,
  isQuick: boolean,
): Promise<Map<DimensionName, Counted>> {
  const { order, limit } = questions[0]!;
  const keys = order.map(
    ({ by, descending }) => `${descending ? '-' : ''}(${metrics[by as 'visitors'].sql})`,
  );
  const query = `
    select
      dimension, count() as total,
      groupArraySorted(${Number(limit)})(tuple([${keys.map((key) => `toFloat64(${key})`).join(', ')}], value, ${counted.join(', ')})) as top
    from (${sums})
    group by dimension`;
  const rows = await store.query<Row>({ query, params: parameters.values, isQuick });
  return new Map(
    rows.map(({ dimension, total, top }) => [
      dimension,
      {
        totalRows: total,
        rows: top.map(([, value, ...counts]) => ({
          time: undefined,
          values: [value],
          counts: toCounts(counts),
        })),
      },
    ]),
  );
}

const counted = ['visitors', 'visits', 'pageViews', 'events', 'bounces', 'durationMs', 'converted'];

const namesOf = (questions: readonly Question[]) => [
  ...new Set(questions.map(({ dimensions }) => dimensions[0]!.dimension)),
];

/** Rows without a value are left out where a dimension need not have one. */
function presentSql(names: readonly DimensionName[], parameters: Parameters): string {
  const optional = names.filter((name) => dimensionOf(name).isOptional);
  return `(value != '' or dimension not in ${parameters.add('Array(String)', optional)})`;
}

function sumsOfRollups(
  questions: readonly Question[],
  builds: readonly string[],
  parameters: Parameters,
): string {
  const { period } = questions[0]!;
  const names = namesOf(questions);
  return `
      select
        dimension, value, sum(r.visitors) as visitors, sum(r.visits) as visits, sum(page_views) as pageViews,
        sum(r.events) as events, sum(r.bounces) as bounces, sum(duration_ms) as durationMs, 0 as converted
      from rollups as r
      where website_id = {website_id:UInt32}
        and dimension in ${parameters.add('Array(String)', names)}
        and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
        and build in ${parameters.add('Array(UInt64)', builds.map(BigInt))}
        and ${presentSql(names, parameters)}
      group by dimension, value`;
}

/** The visits are chosen once, and each counts for its value of every dimension. */
function sumsOfVisits(
  questions: readonly Question[],
  builds: readonly string[],
  parameters: Parameters,
): string {
  const names = namesOf(questions);
  const pairs = names.map((name) => `('${name}', toString(${dimensionOf(name).sql}))`);
  const key = { name: 'pairs', sql: `[${pairs.join(', ')}]`, level: 'visit' as const, arrays: [] };
  return `
      select pair.1 as dimension, pair.2 as value, ${countsOfVisits}
      from (${chosenSql(questions[0]!, builds, parameters, [key])})
      array join pairs as pair
      where ${presentSql(names, parameters)}
      group by dimension, value`;
}

function toCounts(counts: number[]): Counts {
  return Object.fromEntries(counted.map((name, index) => [name, counts[index] ?? 0])) as Counts;
}
