import { type Operator, operators } from '@trackside/contract/stats/operators.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';

export const operatorTexts: Readonly<Record<Operator, string>> = {
  is: 'is',
  isNot: 'is not',
  contains: 'contains',
  anyOf: 'is any of',
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
