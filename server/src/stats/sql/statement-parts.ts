import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import { dimensionOf } from '../question/dimensions.ts';

/**
 * Collects the values of a statement as bound parameters: what a person typed never becomes part of the text.
 */
export class Parameters {
  readonly values: Record<string, unknown> = {};
  readonly #added: { type: string; value: unknown; sql: string }[] = [];

  /** Binds a value and returns what stands for it in the statement; the same again for the same value. */
  add(type: string, value: unknown): string {
    const known = this.#added.find((added) => added.value === value && added.type === type);
    if (known !== undefined) return known.sql;
    const name = `p${this.#added.length + 1}`;
    const sql = `{${name}:${type}}`;
    this.values[name] = value;
    this.#added.push({ type, value, sql });
    return sql;
  }
}

/** The expression for a dimension's value, with the name it is "of" bound as a parameter. */
export function keySql(key: Key, parameters: Parameters): string {
  const { sql, sqlOf } = dimensionOf(key.dimension);
  if (key.of === undefined || sqlOf === undefined) return sql;
  return sqlOf.replaceAll('{of}', parameters.add('String', key.of));
}

/**
 * The condition of a filter, on a visit, or on one record of it whose values are under the names of their
 * columns.
 */
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
    // By bytes where that is enough: several times as quick.
    const position = /^[ -~]*$/.test(filter.contains)
      ? 'positionCaseInsensitive'
      : 'positionCaseInsensitiveUTF8';
    return (value) => `${position}(${value}, ${text}) > 0`;
  }
  if ('anyOf' in filter) {
    const texts = parameters.add('Array(String)', filter.anyOf);
    return (value) => `${value} in ${texts}`;
  }
  const text = parameters.add('String', 'is' in filter ? filter.is : filter.isNot);
  return (value) => `${value} = ${text}`;
}

/** For each record of a visit, whether all of these filters hold for it; undefined when there are none. */
export function recordMaskSql(
  filters: readonly Filter[],
  parameters: Parameters,
  more: { sql: string; arrays: readonly string[] }[] = [],
): string | undefined {
  const ofRecords = filters.filter(({ dimension }) => dimensionOf(dimension).level !== 'visit');
  const conditions = [
    ...ofRecords.map((filter) => ({
      sql: conditionSql(filter, parameters),
      arrays: dimensionOf(filter.dimension).arrays,
    })),
    ...more,
  ];
  if (conditions.length === 0) return undefined;
  const arrays = [...new Set(conditions.flatMap((condition) => condition.arrays))];
  const all = conditions.map(({ sql }) => `(${sql})`).join(' and ');
  // Not eachSql: a mask is never just a column.
  return `arrayMap((${arrays.join(', ')}) -> toUInt8(${all}), ${arrays.join(', ')})`;
}

/** The conditions of the filters on visits. */
export function visitConditionsSql(filters: readonly Filter[], parameters: Parameters): string[] {
  return filters
    .filter(({ dimension }) => dimensionOf(dimension).level === 'visit')
    .map((filter) => conditionSql(filter, parameters));
}

/**
 * Conditions on whole arrays that hold for every visit with a matching record, and are quicker than looking
 * at each record: they spare most visits the mask.
 */
export function visitPrefiltersSql(filters: readonly Filter[], parameters: Parameters): string[] {
  return filters.flatMap((filter) => {
    const { level, sql, arrays } = dimensionOf(filter.dimension);
    if (level !== 'record' || sql !== arrays[0]) return [];
    // ClickHouse does not find the empty text in an array of LowCardinality.
    if ('is' in filter ? filter.is === '' : 'anyOf' in filter && filter.anyOf.includes('')) return [];
    if ('is' in filter) return [`has(${sql}, ${parameters.add('String', filter.is)})`];
    if ('anyOf' in filter) return [`hasAny(${sql}, ${parameters.add('Array(String)', filter.anyOf)})`];
    return [];
  });
}

/**
 * An array with the value of an expression for each record. The expression sees single elements under the
 * names of their columns. Naming the place in an array instead (`path[i]`) would copy the whole array for
 * each element.
 */
export function eachSql(sql: string, arrays: readonly string[]): string {
  // A column is taken as it is: several times as quick as an array that is made of it.
  if (arrays.length === 1 && sql === arrays[0]) return sql;
  return `arrayMap((${arrays.join(', ')}) -> ${sql}, ${arrays.join(', ')})`;
}

/** What the dimension visitorType needs beside the visits; nothing when it is not among the keys. */
export function firstDayJoinFor(keys: readonly Key[]): string {
  return keys.some(({ dimension }) => dimension === 'visitorType') ? firstDayJoin : '';
}

/** From the records, because a visitor may have been new long before the period. */
const firstDayJoin = `
    left join (
      select visitor_id, min(day) as first_day
      from records
      where website_id = {website_id:UInt32} and has_client_id and not is_bot
      group by visitor_id
    ) as first_days using (visitor_id)`;
