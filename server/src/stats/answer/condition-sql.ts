import { dimensionOf } from '../question/dimensions.ts';
import type { Filter, Key } from '../question/question.ts';
import type { Parameters } from './parameters.ts';

/** The expression for a dimension's value, with the name it is "of" bound as a parameter. */
export function keySql(key: Key, parameters: Parameters): string {
  const { sql, sqlOf } = dimensionOf(key.dimension);
  if (key.of === undefined || sqlOf === undefined) return sql;
  return sqlOf.replaceAll('{of}', parameters.add('String', key.of));
}

/** The condition of a filter, on a visit or on the record at `i`. */
export function conditionSql(filter: Filter, parameters: Parameters): string {
  const value = keySql(filter, parameters);
  const matches = comparison(filter, parameters);
  const { level } = dimensionOf(filter.dimension);
  const isNegated = 'isNot' in filter;
  const sql = level === 'list' ? `arrayExists(v -> ${matches('v')}, ${value})` : matches(value);
  return isNegated ? `not (${sql})` : sql;
}

/** How a value is compared, without the negation of isNot. */
export function comparison(filter: Filter, parameters: Parameters): (value: string) => string {
  if ('contains' in filter) {
    const text = parameters.add('String', filter.contains);
    return (value) => `positionCaseInsensitiveUTF8(${value}, ${text}) > 0`;
  }
  if ('anyOf' in filter) {
    const texts = parameters.add('Array(String)', filter.anyOf);
    return (value) => `${value} in ${texts}`;
  }
  const text = parameters.add('String', 'is' in filter ? filter.is : filter.isNot);
  return (value) => `${value} = ${text}`;
}
