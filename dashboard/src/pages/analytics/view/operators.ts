import type { Filter, Key } from '../../../api/stats-shapes.ts';

/** How a filter compares, in the order in which it is offered. */
export const operators = ['is', 'isNot', 'contains', 'anyOf'] as const;
export type Operator = (typeof operators)[number];

export const operatorTexts: Readonly<Record<Operator, string>> = {
  ...{ is: 'is', isNot: 'is not', contains: 'contains', anyOf: 'is any of' },
};

export const operatorOf = (filter: Filter): Operator => operators.find((operator) => operator in filter)!;

/** What it compares with: several values for anyOf, else one. */
export function valuesOf(filter: Filter): readonly string[] {
  if ('is' in filter) return [filter.is];
  if ('isNot' in filter) return [filter.isNot];
  return 'contains' in filter ? [filter.contains] : filter.anyOf;
}

export function toFilter({ dimension, of }: Key, operator: Operator, values: readonly string[]): Filter {
  const key = { dimension, ...(of !== undefined && { of }) };
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
