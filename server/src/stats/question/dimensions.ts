import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { Filter, Key } from '@trackside/contract/stats/questions.ts';

/**
 * How the store finds the values of a dimension.
 * - visit: one value for a visit, in columns of the visit;
 * - record: one value for each record of a visit;
 * - list: any number of values for each record.
 */
export type Dimension = {
  level: 'visit' | 'record' | 'list';
  /** For records, an expression on single elements of `arrays`, each under its own name. */
  sql: string;
  /** The visit's columns with a value for each record that the expression needs. */
  arrays: readonly string[];
  /**
   * The expression for a question "of" one name, which has only the values of that parameter. It uses the
   * parameter {of}.
   */
  sqlOf?: string;
  /** Whether it has few enough values to keep numbers for each day. */
  isRolledUp: boolean;
  /** Whether some records have no value. Those are left out of lists. */
  isOptional: boolean;
  /** A fast condition that is true for every visit with a value. */
  visitsWith?: string;
};

const visit = (sql: string): Dimension => ({
  level: 'visit',
  sql,
  arrays: [],
  isRolledUp: true,
  isOptional: false,
});
const record = (array: string, sql = array): Dimension => ({
  level: 'record',
  sql,
  arrays: [array],
  isRolledUp: true,
  isOptional: false,
});
const list = (arrays: readonly string[], sql: string, sqlOf?: string): Dimension => ({
  level: 'list',
  sql,
  arrays,
  isRolledUp: false,
  isOptional: true,
  ...(sqlOf !== undefined && { sqlOf }),
});
const optional = (dimension: Dimension): Dimension => ({ ...dimension, isOptional: true });
/** Of events, which most visits don't have. */
const ofEvents = (dimension: Dimension): Dimension => ({ ...dimension, visitsWith: 'events > 0' });
const withoutRollup = (dimension: Dimension): Dimension => ({ ...dimension, isRolledUp: false });

const queryParts = "arrayFilter(p -> p != '', splitByChar('&', query))";
/** Bytes that are no text, such as those of Latin-1, and NUL become the character that filters have for them. */
const decodedSql = (part: string) =>
  `replaceAll(toValidUTF8(decodeURLFormComponent(${part})), '\\0', '\uFFFD')`;
const partName = decodedSql("splitByChar('=', p)[1]");
const partValue = `if(position(p, '=') = 0, '', ${decodedSql("substring(p, position(p, '=') + 1)")})`;

export const dimensions = {
  page: record('path'),
  entryPage: optional(visit('entry_page')),
  exitPage: optional(visit('exit_page')),
  host: record('host'),
  queryParameter: list(
    ['query'],
    `arrayMap(p -> ${partName}, ${queryParts})`,
    `arrayMap(p -> ${partValue}, arrayFilter(p -> ${partName} = {of}, ${queryParts}))`,
  ),
  source: visit('source'),
  channel: visit('channel'),
  referrer: optional(withoutRollup(visit('referrer'))),
  utmSource: optional(visit('utm_source')),
  utmMedium: optional(visit('utm_medium')),
  utmCampaign: optional(visit('utm_campaign')),
  utmTerm: optional(visit('utm_term')),
  utmContent: optional(visit('utm_content')),
  continent: visit('continent'),
  country: visit('country'),
  region: visit('region'),
  regionCode: visit('region_code'),
  city: visit('city'),
  postalCode: visit('postal_code'),
  language: visit('language'),
  timezone: visit('timezone'),
  browser: visit('browser'),
  browserVersion: visit("trimRight(concat(browser, ' ', browser_version))"),
  os: visit('os'),
  osVersion: visit("trimRight(concat(os, ' ', os_version))"),
  device: visit('device'),
  screenSize: visit(
    "if(screen_width = 0 or screen_height = 0, '', concat(toString(screen_width), '×', toString(screen_height)))",
  ),
  event: ofEvents(optional(record('event_name'))),
  parameterName: ofEvents(list(['parameter_names'], 'parameter_names')),
  parameterValue: ofEvents(
    list(
      ['parameter_values', 'parameter_names'],
      'parameter_values',
      'arrayFilter((v, n) -> n = {of}, parameter_values, parameter_names)',
    ),
  ),
  hour: record('at', "leftPad(toString(toHour(at)), 2, '0')"),
  weekday: withoutRollup(visit('toString(toDayOfWeek(day))')),
  visitorType: optional(
    withoutRollup(visit("if(not has_client_id, '', if(day = first_day, 'new', 'returning'))")),
  ),
} as const satisfies Record<DimensionName, Dimension>;

/** Returns a dimension by its name with the general type, for code that handles all dimensions. */
export const dimensionOf = (name: DimensionName): Dimension => dimensions[name];

/**
 * Collects the values of a statement as bound parameters. What a person typed never becomes part of its text.
 */
export class Parameters {
  readonly values: Record<string, unknown> = {};
  readonly #added: { type: string; value: unknown; sql: string }[] = [];

  /** Binds a value, only once no matter how often it is added, and returns the SQL that stands for it. */
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

/** Returns the expression for a dimension's value. The name that it is "of" is bound as a parameter. */
export function keySql(key: Key, parameters: Parameters): string {
  const { sql, sqlOf } = dimensionOf(key.dimension);
  if (key.of === undefined || sqlOf === undefined) return sql;
  return sqlOf.replaceAll('{of}', parameters.add('String', key.of));
}

/**
 * Returns the condition of a filter, on a visit or on one record of it. The values of the record are under
 * the names of their columns.
 */
export function conditionSql(filter: Filter, parameters: Parameters): string {
  const value = keySql(filter, parameters);
  const matches = comparison(filter, parameters);
  const { level } = dimensionOf(filter.dimension);
  const sql = level === 'list' ? `arrayExists(v -> ${matches('v')}, ${value})` : matches(value);
  return negated(filter, sql);
}

/** Returns the condition of a filter, given what it compares. */
export function negated(filter: Filter, sql: string): string {
  return 'isNot' in filter ? `not (${sql})` : sql;
}

/** Returns how a value is compared. The negation of isNot is left to the caller. */
export function comparison(filter: Filter, parameters: Parameters): (value: string) => string {
  if ('contains' in filter) {
    const text = parameters.add('String', filter.contains);
    // Comparing bytes is several times as quick, and enough for ASCII.
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

/**
 * Returns an array that says for each record of a visit whether it matches all filters; undefined if there
 * are no filters.
 */
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
  // eachSql would not do here, because a mask is never just a column.
  return `arrayMap((${arrays.join(', ')}) -> toUInt8(${all}), ${arrays.join(', ')})`;
}

/** Returns the conditions of the filters on visits. */
export function visitConditionsSql(filters: readonly Filter[], parameters: Parameters): string[] {
  return filters
    .filter(({ dimension }) => dimensionOf(dimension).level === 'visit')
    .map((filter) => conditionSql(filter, parameters));
}

/** Whether a dimension has one value for each record, which is in a column as it is. */
export function isColumn({ level, sql, arrays }: Dimension): boolean {
  return level === 'record' && sql === arrays[0];
}

/**
 * Returns conditions on whole arrays that hold for every visit with a matching record. They are faster than
 * looking at each record, so most visits need no mask.
 */
export function visitPrefiltersSql(filters: readonly Filter[], parameters: Parameters): string[] {
  return filters.flatMap((filter) => {
    const dimension = dimensionOf(filter.dimension);
    // A missing value matches an empty string, and every isNot filter for something else.
    if (matchesNothing(filter)) return [];
    const conditions = dimension.visitsWith === undefined ? [] : [dimension.visitsWith];
    if (!isColumn(dimension)) return conditions;
    const { sql } = dimension;
    if ('is' in filter) conditions.push(`has(${sql}, ${parameters.add('String', filter.is)})`);
    if ('anyOf' in filter)
      conditions.push(`hasAny(${sql}, ${parameters.add('Array(String)', filter.anyOf)})`);
    return conditions;
  });
}

/** Whether a filter holds where there is no value. */
export function matchesNothing(filter: Filter): boolean {
  if ('isNot' in filter) return true;
  if ('is' in filter) return filter.is === '';
  return 'anyOf' in filter ? filter.anyOf.includes('') : filter.contains === '';
}

/**
 * Returns an array with the value of an expression for each record. The expression sees single elements under
 * the names of their columns. Naming the place in an array instead (`path[i]`) would copy the whole array for
 * each element.
 */
export function eachSql(sql: string, arrays: readonly string[]): string {
  // Using a column directly is several times as fast as making an array of it.
  if (arrays.length === 1 && sql === arrays[0]) return sql;
  return `arrayMap((${arrays.join(', ')}) -> ${sql}, ${arrays.join(', ')})`;
}

/** Returns the join that the dimension visitorType needs, or nothing when it is not among the keys. */
export function firstDayJoinFor(keys: readonly Key[]): string {
  return keys.some(({ dimension }) => dimension === 'visitorType') ? firstDayJoin : '';
}

/** This reads the records, because a visitor may have been new long before the period. */
const firstDayJoin = `
    left join (
      select visitor_id, min(day) as first_day
      from records
      where website_id = {website_id:UInt32} and has_client_id and not is_bot
      group by visitor_id
    ) as first_days using (visitor_id)`;
