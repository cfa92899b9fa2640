import type { Filter } from '@trackside/contract/stats/questions.ts';
import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { wholeDay } from '../days/build-rollups.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { comparison, dimensionOf, matchesNothing, Parameters } from '../question/dimensions.ts';
import { keyOf } from './key-of.ts';

export type MatchingShares = ReturnType<typeof createMatchingShares>;

const maxKept = 1000;

/**
 * Estimates how many of the visits of past days have a record that matches the filters, from 0 to 1. The
 * estimate is never too low, because it adds up the visits of all values that match. If the sums of days
 * can't tell, it is 1.
 */
export function createMatchingShares() {
  const kept = createBoundedCache<Promise<number>>({ maxEntries: maxKept });

  return async (
    store: StoreInTurn,
    filters: readonly Filter[],
    days: readonly BuiltDay[],
  ): Promise<number> => {
    const builds = days.filter(({ isOpen }) => !isOpen).map(({ build }) => build);
    const known = filters.filter((filter) => !matchesNothing(filter) && summedBy(filter) !== undefined);
    if (builds.length === 0 || known.length === 0) return 1;
    const key = keyOf(`${store.websiteId} ${builds.join()} ${JSON.stringify(known)}`);
    const share = kept.get(key) ?? readShare(store, known, builds, days);
    kept.set(key, share);
    share.catch(() => kept.delete(key));
    return await share;
  };
}

/** The dimension whose sums show which records match a filter. */
function summedBy({ dimension }: Filter): string | undefined {
  const { level, isRolledUp, visitsWith } = dimensionOf(dimension);
  if (level === 'record' && isRolledUp) return dimension;
  return visitsWith === undefined ? undefined : 'event';
}

async function readShare(
  store: StoreInTurn,
  filters: readonly Filter[],
  builds: readonly string[],
  days: readonly BuiltDay[],
): Promise<number> {
  const parameters = new Parameters();
  const inOrder = days.map(({ day }) => day).toSorted();
  const dimensions = [...new Set([wholeDay, ...filters.map((filter) => summedBy(filter)!)])];
  const counts = filters.map((filter, at) => {
    const name = summedBy(filter)!;
    const matches = name === filter.dimension ? comparison(filter, parameters)('value') : "value != ''";
    return `sumIf(r.visits, dimension = ${parameters.add('String', name)} and ${matches}) as matching${at}`;
  });
  const [row] = await store.query<{ total: number; [key: `matching${number}`]: number }>({
    query: `
      select sumIf(r.visits, dimension = '${wholeDay}') as total, ${counts.join(', ')}
      from rollups as r
      where website_id = {website_id:UInt32}
        and dimension in ${parameters.add('Array(String)', dimensions)}
        and day between ${parameters.add('Date', inOrder[0])} and ${parameters.add('Date', inOrder.at(-1))}
        and build in ${parameters.add('Array(UInt64)', builds.map(BigInt))}`,
    params: parameters.values,
    isQuick: true,
  });
  const fewest = Math.min(...filters.map((_, at) => row![`matching${at}`]!));
  return row!.total === 0 ? 1 : Math.min(1, fewest / row!.total);
}
