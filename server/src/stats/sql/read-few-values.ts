import type { Period } from '@trackside/contract/calendar/period.ts';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type DayBuild, numbersOf } from '../days/ready-days.ts';

/** Enough for the countries of the world. */
const fewValues = 250;
/** All values of a dimension become part of a statement, so they have to be short. */
const maxBytes = 8192;

export type FewValues = ReadonlyMap<DimensionName, readonly string[]>;

/** Finds all values of dimensions that have few of them. The sums of days have every value of their visits. */
export async function readFewValues(
  store: WebsiteStore,
  dimensions: readonly DimensionName[],
  { from, to }: Period,
  builds: readonly DayBuild[],
): Promise<FewValues> {
  if (dimensions.length === 0) return new Map();
  const rows = await store.query<{ dimension: DimensionName; found: string[] }>({
    query: `
      select dimension, groupUniqArray(${fewValues + 1})(value) as found
      from rollups
      where website_id = {website_id:UInt32}
        and dimension in {dimensions:Array(String)}
        and day between {from:Date} and {to:Date}
        and build in {builds:Array(UInt64)}
      group by dimension
      having length(found) <= ${fewValues} and length(arrayStringConcat(found)) <= ${maxBytes}`,
    params: { dimensions, from, to, builds: builds.flatMap(numbersOf).map(BigInt) },
    isQuick: true,
  });
  return new Map(rows.map(({ dimension, found }) => [dimension, found]));
}
