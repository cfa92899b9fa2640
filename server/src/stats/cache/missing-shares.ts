import type { Filter } from '@trackside/contract/stats/questions.ts';
import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { wholeDay } from '../days/build-rollups.ts';
import { type BuiltDay, numbersOf } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { comparison, dimensionOf, negated, Parameters } from '../question/dimensions.ts';
import { keyOf } from './key-of.ts';

export type MissingShares = ReturnType<typeof createMissingShares>;

const maxKept = 1000;

/**
 * Finds, for each filter, how many of the visits have a value that doesn't match it. It is 0 only if the filter
 * matches every record, and 1 if the sums of days can't tell.
 */
export function createMissingShares() {
  const kept = createBoundedCache<Promise<number[]>>({ maxEntries: maxKept });

  return async (
    store: StoreInTurn,
    filters: readonly Filter[],
    days: readonly BuiltDay[],
  ): Promise<number[]> => {
    const known = filters.filter(({ dimension }) => dimensionOf(dimension).isRolledUp);
    if (days.length === 0 || known.length === 0) return filters.map(() => 1);
    const key = keyOf(`${store.websiteId} ${days.flatMap(numbersOf).join()} ${JSON.stringify(known)}`);
    const shares = kept.get(key) ?? readShares(store, known, days);
    kept.set(key, shares);
    shares.catch(() => kept.delete(key));
    const found = await shares;
    return filters.map((filter) => found[known.indexOf(filter)] ?? 1);
  };
}

async function readShares(
  store: StoreInTurn,
  filters: readonly Filter[],
  days: readonly BuiltDay[],
): Promise<number[]> {
  const parameters = new Parameters();
  const inOrder = days.map(({ day }) => day).toSorted();
  const dimensions = [...new Set([wholeDay, ...filters.map(({ dimension }) => dimension)])];
  const counts = filters.map((filter, at) => {
    const matches = negated(filter, comparison(filter, parameters)('value'));
    const isOfFilter = `dimension = ${parameters.add('String', filter.dimension)}`;
    return `sumIf(r.visits, ${isOfFilter} and not (${matches})) as missing${at}`;
  });
  const [row] = await store.query<{ total: number; [key: `missing${number}`]: number }>({
    query: `
      select sumIf(r.visits, dimension = '${wholeDay}') as total, ${counts.join(', ')}
      from rollups as r
      where website_id = {website_id:UInt32}
        and dimension in ${parameters.add('Array(String)', dimensions)}
        and day between ${parameters.add('Date', inOrder[0])} and ${parameters.add('Date', inOrder.at(-1))}
        and build in ${parameters.add('Array(UInt64)', days.flatMap(numbersOf).map(BigInt))}`,
    params: parameters.values,
    isQuick: true,
  });
  const { total } = row!;
  return filters.map((_, at) => (total === 0 ? 1 : Math.min(1, row![`missing${at}`]! / total)));
}
