import type { WebsiteStore } from '../../store/of-website.ts';
import { type DimensionName, dimensionOf } from '../question/dimensions.ts';
import { type Counts, metrics } from '../question/metrics.ts';
import type { Question } from '../question/question.ts';
import { askRollups } from './ask-rollups.ts';
import type { Counted } from './ask-visits.ts';
import { Parameters } from './parameters.ts';

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
 * A screen asks for the top of many dimensions at once. Their sums lie in one table, so that one statement can answer all
 * of them: it takes hardly longer than one of them alone.
 */
export function createGatherLists() {
  const groups = new Map<string, Waiting[]>();

  return (store: WebsiteStore, question: Question, builds: readonly string[]): Promise<Counted> => {
    const { period, order, limit } = question;
    const key = JSON.stringify([
      store.websiteId,
      period,
      order,
      limit,
      builds.length,
      builds[0],
      builds.at(-1),
    ]);
    const { promise, resolve } = Promise.withResolvers<Counted>();
    const waiting = groups.get(key) ?? [];
    waiting.push({ question, settle: resolve });
    if (waiting.length === 1) {
      groups.set(key, waiting);
      setTimeout(() => {
        groups.delete(key);
        flush(store, waiting, builds);
      }, gatherMs);
    }
    return promise;
  };
}

/** Whether a question is one of those lists: the top of one dimension, and nothing else. */
export function isList({ dimensions, filters, interval, offset, limit, order }: Question): boolean {
  return (
    dimensions.length === 1 &&
    dimensions[0]!.dimension !== 'weekday' &&
    filters.length === 0 &&
    interval === undefined &&
    offset === 0 &&
    limit <= 100 &&
    order.every(({ by }) => by !== 'dimension')
  );
}

function flush(store: WebsiteStore, waiting: readonly Waiting[], builds: readonly string[]): void {
  const [first, ...others] = waiting;
  if (others.length === 0) {
    first!.settle(askRollups(store, first!.question, builds, false));
    return;
  }
  const answers = askTogether(
    store,
    waiting.map(({ question }) => question),
    builds,
  );
  for (const { question, settle } of waiting)
    settle(
      answers.then((found) => found.get(question.dimensions[0]!.dimension) ?? { rows: [], totalRows: 0 }),
    );
}

async function askTogether(
  store: WebsiteStore,
  questions: readonly Question[],
  builds: readonly string[],
): Promise<Map<DimensionName, Counted>> {
  const { period, order, limit } = questions[0]!;
  const names = [...new Set(questions.map(({ dimensions }) => dimensions[0]!.dimension))];
  const optional = names.filter((name) => dimensionOf(name).isOptional);
  const parameters = new Parameters();
  const keys = order.map(
    ({ by, descending }) => `${descending ? '-' : ''}(${metrics[by as 'visitors'].sql})`,
  );
  const query = `
    select
      dimension, count() as total,
      groupArraySorted(${Number(limit)})(tuple([${keys.map((key) => `toFloat64(${key})`).join(', ')}], value, visitors, visits, pageViews, events, bounces, durationMs)) as top
    from (
      select
        dimension, value, sum(r.visitors) as visitors, sum(r.visits) as visits, sum(page_views) as pageViews,
        sum(r.events) as events, sum(r.bounces) as bounces, sum(duration_ms) as durationMs, 0 as converted
      from rollups as r
      where website_id = {website_id:UInt32}
        and dimension in ${parameters.add('Array(String)', names)}
        and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
        and build in ${parameters.add('Array(UInt64)', builds.map(BigInt))}
        and (value != '' or dimension not in ${parameters.add('Array(String)', optional)})
      group by dimension, value
    )
    group by dimension`;
  const rows = await store.query<Row>({ query, params: parameters.values, isQuick: true });
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

function toCounts([
  visitors = 0,
  visits = 0,
  pageViews = 0,
  events = 0,
  bounces = 0,
  durationMs = 0,
]: number[]): Counts {
  return { visitors, visits, pageViews, events, bounces, durationMs, converted: 0 };
}
