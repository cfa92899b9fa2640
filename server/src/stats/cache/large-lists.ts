import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type BuiltDay, type DayPart, partsOf } from '../days/ready-days.ts';
import { dimensionOf, Parameters } from '../question/dimensions.ts';
import { type Counts, sumsOfRollups } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import { type Counted, type Top, toCounted, topSql } from '../sql/ask-visits.ts';
import { topOfSums } from './kept-sums.ts';
import { keyOf } from './key-of.ts';

type Tops = ReadonlyMap<DimensionName, Counted>;
type TopRow = { dimension: DimensionName; total: number; top: Top };
/** The top of the values of open days, with their numbers on all days. */
type OpenRow = TopRow & {
  /** How many of these values past days have too. */
  known: number;
  /** Which values at the top of past days are among them. */
  again: string[];
};

/** Questions about some dimensions that differ in nothing else. */
type Asked = { store: WebsiteStore; question: Question; names: readonly DimensionName[] };

const keptRows = 10_000;
/** Metrics that no record makes smaller. */
const growing = new Set<string>(['visitors', 'visits', 'pageViews', 'events']);

/**
 * Finds the top of dimensions that have too many values to keep, such as a page for each order. The top of past
 * days is kept. It says which values are at the top of all days, together with the values of the days that may
 * still change: a value that none of those days has can't rise.
 */
export function createLargeLists() {
  const kept = createBoundedCache<{ top: Promise<Counted>; size: number }>({
    maxSize: keptRows,
    sizeOf: ({ size }) => size,
  });

  /** Reads the tops that are not kept. Reading them continues when one of those who asked disconnects. */
  async function keepTops(
    { store, question, names }: Asked,
    days: readonly DayPart[],
    read: (missing: readonly DimensionName[]) => Promise<Tops>,
  ): Promise<Tops> {
    const order = question.order.map(({ by, descending }) => `${by} ${descending}`).join();
    const about = keyOf(`${order} ${question.limit} ${days.map(({ build }) => build).join()}`);
    const keyOfTop = (name: DimensionName) => `${store.websiteId} ${name} ${about}`;
    const found = new Map(names.map((name) => [name, kept.get(keyOfTop(name))?.top]));
    const missing = names.filter((name) => found.get(name) === undefined);
    const tops = missing.length === 0 ? undefined : read(missing);
    for (const name of missing) {
      const top = tops!.then((all) => all.get(name) ?? nothing);
      found.set(name, top);
      kept.set(keyOfTop(name), { top, size: 1 + question.limit });
      top.catch(() => kept.delete(keyOfTop(name)));
    }
    return new Map(await Promise.all(names.map(async (name) => [name, await found.get(name)!] as const)));
  }

  return async (asked: Asked, days: readonly BuiltDay[], signal: AbortSignal | undefined): Promise<Tops> => {
    const { store, question } = asked;
    const open = days.filter(({ isOpen }) => isOpen).flatMap(partsOf);
    const past = days.filter(({ isOpen }) => !isOpen).flatMap(partsOf);
    const canRise = question.order.every(({ by, descending }) => descending && growing.has(by));
    const all = [...past, ...open];
    if (past.length === 0 || !canRise)
      return await readTops(store.withSignal(signal), question, asked.names, all);
    const topsOfPast = (names: readonly DimensionName[]) =>
      keepTops({ ...asked, names }, past, (missing) => readTops(store, question, missing, past));
    if (open.length === 0) return await topsOfPast(asked.names);
    return await keepTops(asked, all, async (names) => {
      const ofPast = await topsOfPast(names);
      const ofOpen = await readOpen(store, question, ofPast, { open, past });
      return new Map(names.map((name) => [name, joinTops(question, ofPast.get(name)!, ofOpen.get(name))]));
    });
  };
}

const nothing: Counted = { rows: [], totalRows: 0 };

/** Finds the top of some dimensions on some days, with one statement. */
async function readTops(
  store: WebsiteStore,
  question: Question,
  names: readonly DimensionName[],
  days: readonly DayPart[],
): Promise<Tops> {
  const parameters = new Parameters();
  // Each dimension is grouped by its values alone, which takes a third of the time.
  const parts = names.map(
    (name) => `
    select '${name}' as dimension, count() as total, ${topSql(question)} as top
    from (
      select value, ${sumsOfRollups()}
      from rollups as r
      where ${valuesSql(name, days, parameters)}
      group by value
      having visits > 0
    )`,
  );
  const query = parts.join(' union all ');
  const found = await store.query<TopRow>({ query, params: parameters.values, isQuick: true });
  return new Map(found.map(({ dimension, total, top }) => [dimension, toCounted(question, total, top)]));
}

/** Finds the top of the values that open days have, by their numbers on all days. */
async function readOpen(
  store: WebsiteStore,
  question: Question,
  ofPast: Tops,
  { open, past }: { open: readonly DayPart[]; past: readonly DayPart[] },
): Promise<Map<DimensionName, OpenRow>> {
  const parameters = new Parameters();
  const isOpen = `build in ${buildsSql(open, parameters)}`;
  const all = [...past, ...open];
  const parts = [...ofPast].map(([name, { rows }]) => {
    const atTop = parameters.add(
      'Array(String)',
      rows.map(({ values }) => values[0]!),
    );
    return `
    select
      '${name}' as dimension, count() as total, ${topSql(question)} as top,
      countIf(past_visits > 0) as known, groupArrayIf(value, value in ${atTop}) as again
    from (
      select value, ${sumsOfRollups()}, sumIf(r.visits, not ${isOpen}) as past_visits
      from rollups as r
      where ${valuesSql(name, all, parameters)}
        and (${isOpen} or value in (select value from rollups where ${valuesSql(name, open, parameters)}))
      group by value
      having visits > 0
    )`;
  });
  const query = parts.join(' union all ');
  const found = await store.query<OpenRow>({ query, params: parameters.values, isQuick: true });
  return new Map(found.map((row) => [row.dimension, row]));
}

/** Of a value that open days have, the number on past days is among the others. */
function joinTops(question: Question, past: Counted, open: OpenRow | undefined): Counted {
  if (open === undefined) return past;
  const sums = new Map<string, Counts>(
    [...past.rows, ...toCounted(question, open.total, open.top).rows].map(({ values, counts }) => [
      values[0]!,
      counts,
    ]),
  );
  const isInTop = new Set(open.top.map(([, value]) => value));
  for (const value of open.again) if (!isInTop.has(value)) sums.delete(value);
  const totalRows = past.totalRows + open.total - open.known;
  return { ...topOfSums(question, sums), totalRows };
}

/** Selects rows of a dimension that have a value. */
function valuesSql(name: DimensionName, days: readonly DayPart[], parameters: Parameters): string {
  const hasValue = dimensionOf(name).isOptional ? "and value != ''" : '';
  return `${scopeSql([name], days, parameters)} ${hasValue}`;
}

/** Selects the rows of some dimensions on some days. */
export function scopeSql(
  names: readonly DimensionName[],
  days: readonly DayPart[],
  parameters: Parameters,
): string {
  const inOrder = days.map(({ day }) => day).toSorted();
  return `
    website_id = {website_id:UInt32}
    and dimension in ${parameters.add('Array(String)', names)}
    and day between ${parameters.add('Date', inOrder[0])} and ${parameters.add('Date', inOrder.at(-1))}
    and build in ${buildsSql(days, parameters)}`;
}

const buildsSql = (days: readonly DayPart[], parameters: Parameters) =>
  parameters.add(
    'Array(UInt64)',
    days.map(({ build }) => BigInt(build)),
  );
