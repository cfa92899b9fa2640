import type { Filter } from '@trackside/contract/stats/questions.ts';
import { filteredValues } from '../../view/filters.ts';
import type { Listing } from './listing.ts';

/** A value that the view is filtered by, in the list that it is a value of. */
export type Crumb = { listing: Listing; value: string };

/**
 * Follows the filters of a view down from a list: from a country to its regions, and from one of them to its
 * cities. Nothing else remembers the way, so links and Back lead to the same list.
 */
export function drillDown(
  listing: Listing,
  filters: readonly Filter[],
): { listing: Listing; crumbs: readonly Crumb[] } {
  const crumbs: Crumb[] = [];
  let at = listing;
  while (at.finer !== undefined) {
    const values = filteredValues(filters, at.key);
    const [value = ''] = values;
    // Several values have no common parts, and an unknown one has none at all.
    if (values.length !== 1 || value === '') break;
    crumbs.push({ listing: at, value });
    at = at.finer;
  }
  return { listing: at, crumbs };
}

/** The filters after a step back, to the list of a crumb. */
export function drillUp(filters: readonly Filter[], crumbs: readonly Crumb[], to: number): readonly Filter[] {
  const left = crumbs.slice(to).map(({ listing }) => listing.key.dimension);
  return filters.filter(({ dimension }) => !left.includes(dimension));
}
