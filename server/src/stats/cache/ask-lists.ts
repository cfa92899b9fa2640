import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type BuiltDay, type DayPart, partsOf } from '../days/ready-days.ts';
import { dimensionOf, Parameters } from '../question/dimensions.ts';
import { type Counts, countNames, sumsOfRollups, toCounts } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from '../sql/ask-visits.ts';
import { createKeptSums, joinSums, type Sums, topOfSums } from './kept-sums.ts';
import { keyOf } from './key-of.ts';
import { createLargeLists, scopeSql } from './large-lists.ts';

/**
 * Builds whose sums are kept as one: those of all past days, or one build of a day that may still change. So
 * a new change needs no look at its base.
 */
type Stretch = { key: string; days: readonly DayPart[] };
type Row = { stretch: number; dimension: DimensionName; total: number; sums: [string, ...number[]][] };

export type AskLists = ReturnType<typeof createAskLists>;

export type ListLimits = {
  /** How much memory each cache may take up, for all websites. */
  keptBytes: number;
  /**
   * How many values of one dimension are read. Reading more would hold up this process for longer than the
   * store takes to find the top.
   */
  valuesOfOne: number;
  /**
   * From how many records on, planning a statement more closely takes less time than it saves, and days are
   * read by two statements at the same time where that helps.
   */
  manyRecords: number;
};

const nothing: Counted = { rows: [], totalRows: 0 };

export const usualListLimits: ListLimits = {
  keptBytes: 30_000_000,
  valuesOfOne: 4_000,
  manyRecords: 5_000_000,
};
/** Public links have a separate memory. */
export const listLimitsOfLinks: ListLimits = { ...usualListLimits, keptBytes: 10_000_000 };

/**
 * Finds the top of several dimensions from the sums of days. Past days are added up once and kept, so a
 * question that is asked again needs only the days that have changed since.
 */
export function createAskLists({ keptBytes, valuesOfOne }: Omit<ListLimits, 'manyRecords'>) {
  const kept = createKeptSums(keptBytes);
  const askLarge = createLargeLists();

  /**
   * Finds the sums of each stretch; undefined for a dimension with too many values. They are kept for
   * everyone, so reading them continues when one of those who asked disconnects.
   */
  async function sumsOf(
    store: WebsiteStore,
    names: readonly DimensionName[],
    stretches: readonly Stretch[],
  ): Promise<Map<DimensionName, (Sums | undefined)[]>> {
    const keyOfSums = (name: DimensionName, { key }: Stretch) => `${store.websiteId} ${name} ${key}`;
    // These are held here too, because the cache may drop one before it is used below.
    const found = new Map<string, Promise<Sums | undefined> | undefined>();
    for (const name of names)
      for (const stretch of stretches)
        found.set(keyOfSums(name, stretch), kept.get(keyOfSums(name, stretch)));
    const isKept = (name: DimensionName, stretch: Stretch) =>
      found.get(keyOfSums(name, stretch)) !== undefined;
    const missing = stretches.filter((stretch) => names.some((name) => !isKept(name, stretch)));
    const unknown = names.filter((name) => missing.some((stretch) => !isKept(name, stretch)));
    if (missing.length > 0) {
      const read = readSums(store, unknown, missing, valuesOfOne);
      for (const [at, stretch] of missing.entries())
        for (const name of unknown) {
          const sums = read.then((all) => all[at]!.get(name)!);
          found.set(keyOfSums(name, stretch), sums);
          kept.set(keyOfSums(name, stretch), sums);
        }
    }
    const all = names.map(async (name) => {
      const sums = stretches.map((stretch) => found.get(keyOfSums(name, stretch))!);
      return [name, await Promise.all(sums)] as const;
    });
    return new Map(await Promise.all(all));
  }

  /** Answers questions that differ only in their dimension. */
  return async (
    store: WebsiteStore,
    questions: readonly Question[],
    days: readonly BuiltDay[],
    signal?: AbortSignal,
  ): Promise<Counted[]> => {
    const question = questions[0]!;
    const names = [...new Set(questions.map(({ dimensions }) => dimensions[0]!.dimension))];
    const { from, to } = question.period;
    const within = days.filter(({ day }) => day >= from && day <= to);
    const sums = await sumsOf(store, names, toStretches(within));
    const large = names.filter((name) => sums.get(name)!.includes(undefined));
    const answers =
      large.length === 0
        ? new Map<DimensionName, Counted>()
        : new Map(await askLarge({ store, question, names: large }, within, signal));
    for (const name of names) {
      if (large.includes(name)) continue;
      answers.set(name, topOfSums(question, joined(sums.get(name) as Sums[], dimensionOf(name).isOptional)));
    }
    return questions.map(({ dimensions }) => answers.get(dimensions[0]!.dimension) ?? nothing);
  };
}

function toStretches(days: readonly BuiltDay[]): Stretch[] {
  const { open = [], closed = [] } = Object.groupBy(days, ({ isOpen }) => (isOpen ? 'open' : 'closed'));
  const ofOpen = open.flatMap(partsOf).map((part) => [part]);
  const groups: DayPart[][] = closed.length > 0 ? [closed, ...ofOpen] : ofOpen;
  return groups.map((group) => ({ key: keyOf(group.map(({ build }) => build).join()), days: group }));
}

/**
 * Adds up the sums of several stretches. A value that a change has removed has no visits and no row. An
 * optional dimension has no row without a value, either.
 */
function joined(parts: readonly Sums[], isOptional: boolean): Sums {
  const all = joinSums(parts);
  for (const [value, { visits }] of all) if (visits === 0) all.delete(value);
  if (isOptional) all.delete('');
  return all;
}

async function readSums(
  store: WebsiteStore,
  names: readonly DimensionName[],
  stretches: readonly Stretch[],
  maxValues: number,
): Promise<Map<DimensionName, Sums | undefined>[]> {
  const parameters = new Parameters();
  const days = stretches.flatMap((stretch) => stretch.days);
  const builds = parameters.add(
    'Array(UInt64)',
    days.map(({ build }) => BigInt(build)),
  );
  const places = parameters.add(
    'Array(UInt32)',
    stretches.flatMap((stretch, at) => stretch.days.map(() => at)),
  );
  const stretchSql = `transform(build, ${builds}, ${places}, 0) as stretch`;
  const scope = scopeSql(names, days, parameters);
  // Each value of a build has its own row. Where there are too many, they need not be added up to know that.
  const tooMany = (columns: string) => `
    select ${columns} from rollups where ${scope}
    group by build, dimension having count() > ${maxValues}`;
  const rows = await store.query<Row>({
    query: `
      select
        stretch, dimension, count() as total,
        groupArray(${maxValues})((value, ${countNames.join(', ')})) as sums
      from (
        select ${stretchSql}, dimension, value, ${sumsOfRollups()}
        from rollups as r
        where ${scope} and (build, dimension) not in (${tooMany('build, dimension')})
        group by stretch, dimension, value
      )
      group by stretch, dimension
      union all ${tooMany(`${stretchSql}, dimension, count() as total, []`)}`,
    params: parameters.values,
    isQuick: true,
  });
  const found = stretches.map(
    () => new Map<DimensionName, Sums | undefined>(names.map((name) => [name, new Map()])),
  );
  for (const { stretch, dimension, total, sums } of rows) {
    const entries = sums.map(([value, ...counts]): [string, Counts] => [value, toCounts(counts)]);
    // Some days of a stretch may have too many values, and others not.
    const isTooLarge = total > maxValues || found[stretch]!.get(dimension) === undefined;
    found[stretch]!.set(dimension, isTooLarge ? undefined : new Map(entries));
  }
  return found;
}
