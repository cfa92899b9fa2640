import { createBoundedCache } from '../../core/bounded-cache.ts';
import type { WebsiteStore } from '../../store/of-website.ts';
import { dimensionOf } from '../question/dimensions.ts';
import type { Filter, Period, Question } from '../question/question.ts';
import { comparison } from './condition-sql.ts';
import { Parameters } from './parameters.ts';

/** Looking a value up in more of them takes as long as reading it. */
const maxFound = 1000;
const keptSearches = 100;

export type FindContaining = ReturnType<typeof createFindContaining>;

/**
 * Looks for a part of a page's path, or of an event's name, among the values of the days, which are few, so that the records
 * need not be searched: the filter becomes one of whole values. Left as it is where too many contain it. The questions of a
 * screen have the same filters and look once.
 */
export function createFindContaining() {
  const found = createBoundedCache<Promise<Filter>>({ maxEntries: keptSearches });

  return async (store: WebsiteStore, question: Question, builds: readonly string[]): Promise<Question> => {
    const { period } = question;
    const filters = question.filters.map((filter) => {
      if (!isSearch(filter)) return filter;
      const key = JSON.stringify([store.websiteId, filter, period.from, period.to, builds]);
      const known = found.get(key);
      if (known !== undefined) return known;
      const values = toValues(store, filter, period, builds);
      found.set(key, values);
      values.catch(() => found.delete(key));
      return values;
    });
    return { ...question, filters: await Promise.all(filters) };
  };
}

/** The values of a visit are columns with a dictionary, which are searched quickly. */
function isSearch(filter: Filter): boolean {
  const { level, isRolledUp } = dimensionOf(filter.dimension);
  return 'contains' in filter && level === 'record' && isRolledUp;
}

async function toValues(
  store: WebsiteStore,
  filter: Filter,
  { from, to }: Period,
  builds: readonly string[],
): Promise<Filter> {
  const parameters = new Parameters();
  const rows = await store.query<{ value: string }>({
    query: `
      select distinct value
      from rollups
      where website_id = {website_id:UInt32}
        and dimension = ${parameters.add('String', filter.dimension)}
        and day between ${parameters.add('Date', from)} and ${parameters.add('Date', to)}
        and build in ${parameters.add('Array(UInt64)', builds.map(BigInt))}
        and ${comparison(filter, parameters)('value')}
      limit ${maxFound + 1}`,
    params: parameters.values,
    isQuick: true,
  });
  if (rows.length > maxFound) return filter;
  return { dimension: filter.dimension, anyOf: rows.map(({ value }) => value) };
}
