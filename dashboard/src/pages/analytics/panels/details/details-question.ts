import { maxValues } from '@trackside/contract/stats/limits.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Filter, Key, Questions } from '@trackside/contract/stats/questions.ts';
import type { Names } from '#format/names.ts';
import { scopeOf } from '../../overview/overview-questions.ts';
import type { AskedPeriod } from '../../view/periods.ts';
import type { View } from '../../view/view.ts';
import type { Listing } from '../list/listing.ts';

export type Order = { by: MetricName | 'dimension'; descending: boolean };
export type Wish = { search: string; order: Order; page: number };

export const pageRows = 50;

/** Asks for one page of the full table. */
export function detailsQuestion(
  { key, metrics }: Pick<Listing, 'key' | 'metrics'>,
  { search, order, page }: Wish,
  view: View,
  period: AskedPeriod,
  names: Pick<Names, 'search'>,
  today: string,
): Questions['query'] {
  return {
    ...scopeOf(view, period, today),
    filters: [...view.filters, ...searchFilter(key, search, names)],
    metrics,
    ...(view.goal !== undefined && { goal: view.goal }),
    dimensions: [key.of === undefined ? key.dimension : key],
    // The second order breaks ties, so that no row appears on two pages.
    order: [order, ...(order.by === 'dimension' ? [] : [{ by: 'dimension', descending: false } as const])],
    limit: pageRows,
    offset: page * pageRows,
  };
}

/** Filters by a search text. Where values are codes, the text is searched in their names. */
export function searchFilter(key: Key, search: string, names: Pick<Names, 'search'>): Filter[] {
  const text = search.trim();
  if (text === '') return [];
  const codes = names.search(key.dimension, text);
  if (codes === undefined) return [{ ...key, contains: text }];
  // The server refuses a value that is not a code, so a text that no name has is searched in the codes.
  return [codes.length === 0 ? { ...key, contains: text } : { ...key, anyOf: codes.slice(0, maxValues) }];
}

/**
 * The order after the heading of a column is pressed: the highest numbers first, or texts from A to Z.
 * Pressing it again reverses the order.
 */
export function nextOrder(order: Order, by: Order['by']): Order {
  if (order.by === by) return { by, descending: !order.descending };
  return { by, descending: by !== 'dimension' };
}
