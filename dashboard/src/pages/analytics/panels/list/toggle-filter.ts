import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import { addFilter } from '../../view/add-filter.ts';

/** Filters by a value of a dimension; where that is so already, no more. */
export function toggleFilter(filters: readonly Filter[], key: Key, value: string): readonly Filter[] {
  const isOn = filters.some((filter) => isOf(filter, key) && chosenIn(filter).includes(value));
  if (!isOn) return addFilter(filters, { ...key, is: value });
  return filters.flatMap((filter) => (isOf(filter, key) ? without(filter, value) : [filter]));
}

/** The values of a dimension that are filtered by. */
export function filteredValues(filters: readonly Filter[], key: Key): string[] {
  return filters.flatMap((filter) => (isOf(filter, key) ? chosenIn(filter) : []));
}

const isOf = (filter: Key, key: Key) => filter.dimension === key.dimension && filter.of === key.of;

function chosenIn(filter: Filter): readonly string[] {
  if ('is' in filter) return [filter.is];
  return 'anyOf' in filter ? filter.anyOf : [];
}

function without(filter: Filter, value: string): Filter[] {
  if (!chosenIn(filter).includes(value)) return [filter];
  if (!('anyOf' in filter)) return [];
  const anyOf = filter.anyOf.filter((other) => other !== value);
  return anyOf.length === 0 ? [] : [{ ...filter, anyOf }];
}
