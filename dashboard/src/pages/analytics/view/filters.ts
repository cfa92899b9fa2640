import { type Operator, operators } from '@trackside/contract/stats/operators.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';

export const operatorOf = (filter: Filter): Operator => operators.find((operator) => operator in filter)!;

/** The values that a filter compares with: several for `anyOf`, otherwise one. */
export function valuesOf(filter: Filter): readonly string[] {
  if ('is' in filter) return [filter.is];
  if ('isNot' in filter) return [filter.isNot];
  return 'contains' in filter ? [filter.contains] : filter.anyOf;
}

export function toFilter({ dimension, of }: Key, operator: Operator, texts: readonly string[]): Filter {
  const key = { dimension, ...(of !== undefined && { of }) };
  // People type the letter x where the values have a sign.
  const values = dimension === 'screenSize' ? texts.map((text) => text.replace(/\s*[x*×]\s*/i, '×')) : texts;
  const [first = ''] = values;
  switch (operator) {
    case 'is':
      return { ...key, is: first };
    case 'isNot':
      return { ...key, isNot: first };
    case 'contains':
      return { ...key, contains: first };
    case 'anyOf':
      return { ...key, anyOf: values };
  }
}

/** Adds a filter. An `is` filter replaces the one for the same dimension. */
export function addFilter(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  if (hasFilter(filters, filter)) return filters;
  const isReplaced = (one: Filter) => 'is' in one && 'is' in filter && isSameKey(one, filter);
  return filters.some(isReplaced)
    ? filters.map((one) => (isReplaced(one) ? filter : one))
    : [...filters, filter];
}

export const removeFilter = (filters: readonly Filter[], filter: Filter): readonly Filter[] =>
  filters.filter((one) => !isSameFilter(one, filter));

export const hasFilter = (filters: readonly Filter[], filter: Filter): boolean =>
  filters.some((one) => isSameFilter(one, filter));

export function replaceFilter(filters: readonly Filter[], filter: Filter, by: Filter): readonly Filter[] {
  const others = removeFilter(filters, by);
  return hasFilter(others, filter)
    ? others.map((one) => (isSameFilter(one, filter) ? by : one))
    : addFilter(filters, by);
}

/** Adds a filter by a value, or removes the value if it is already filtered by. */
export function toggleFilter(filters: readonly Filter[], key: Key, value: string): readonly Filter[] {
  const isOn = filteredValues(filters, key).includes(value);
  if (!isOn) return addFilter(filters, { ...key, is: value });
  return filters.flatMap((filter) => (isSameKey(filter, key) ? without(filter, value) : [filter]));
}

/** The values of a dimension that the filters select. */
export function filteredValues(filters: readonly Filter[], key: Key): string[] {
  return filters.flatMap((filter) => (isSameKey(filter, key) ? chosenIn(filter) : []));
}

const isSameKey = (one: Key, other: Key) => one.dimension === other.dimension && one.of === other.of;

const isSameFilter = (one: Filter, other: Filter) =>
  isSameKey(one, other) &&
  operatorOf(one) === operatorOf(other) &&
  JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other));

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
