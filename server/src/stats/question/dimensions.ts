import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';

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
const withoutRollup = (dimension: Dimension): Dimension => ({ ...dimension, isRolledUp: false });

const queryParts = "arrayFilter(p -> p != '', splitByChar('&', query))";
const partName = "decodeURLFormComponent(splitByChar('=', p)[1])";
const partValue = "if(position(p, '=') = 0, '', decodeURLFormComponent(substring(p, position(p, '=') + 1)))";

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
  event: optional(record('event_name')),
  parameterName: list(['parameter_names'], 'parameter_names'),
  parameterValue: list(
    ['parameter_values', 'parameter_names'],
    'parameter_values',
    'arrayFilter((v, n) -> n = {of}, parameter_values, parameter_names)',
  ),
  hour: record('at', "leftPad(toString(toHour(at)), 2, '0')"),
  weekday: withoutRollup(visit('toString(toDayOfWeek(day))')),
  visitorType: optional(
    withoutRollup(visit("if(not has_client_id, '', if(day = first_day, 'new', 'returning'))")),
  ),
} as const satisfies Record<DimensionName, Dimension>;

/** Returns a dimension by its name with the general type, for code that handles all dimensions. */
export const dimensionOf = (name: DimensionName): Dimension => dimensions[name];
