import type { Filter } from '@trackside/contract/stats/questions.ts';
import { operatorOf, valuesOf } from './operators.ts';

/** Adds a filter. One value of a dimension at a time: choosing another one takes the place of the first. */
export function addFilter(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  if (filters.some((one) => isSameFilter(one, filter))) return filters;
  const isReplaced = (one: Filter) => 'is' in one && 'is' in filter && isSameKey(one, filter);
  return filters.some(isReplaced)
    ? filters.map((one) => (isReplaced(one) ? filter : one))
    : [...filters, filter];
}

export const removeFilter = (filters: readonly Filter[], filter: Filter): readonly Filter[] =>
  filters.filter((one) => !isSameFilter(one, filter));

export const hasFilter = (filters: readonly Filter[], filter: Filter): boolean =>
  filters.some((one) => isSameFilter(one, filter));

const isSameKey = (one: Filter, other: Filter) => one.dimension === other.dimension && one.of === other.of;

const isSameFilter = (one: Filter, other: Filter) =>
  isSameKey(one, other) &&
  operatorOf(one) === operatorOf(other) &&
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other));

export const replaceFilter = (filters: readonly Filter[], filter: Filter, by: Filter): readonly Filter[] => {
  const others = filters.filter((one) => !isSameFilter(one, by));
  return hasFilter(others, filter)
    ? others.map((one) => (isSameFilter(one, filter) ? by : one))
    : addFilter(filters, by);
};
