/**
 * What numbers can be split and filtered by.
 * - visit: one value for a visit, in columns of the visit;
 * - record: one value for each record of a visit;
 * - list: any number of values for each record.
 */
export type Dimension = {
  level: 'visit' | 'record' | 'list';
  /** For records, an expression on single elements of `arrays`, each under its own name. */
  sql: string;
  /** The visit's columns that hold a value for each record, as far as the expression needs them. */
  arrays: readonly string[];
  /** Asked "of" one name: the values of that parameter only. Uses the parameter {of}. */
  sqlOf?: string;
  /** Few enough values for numbers to be kept for each day. */
  isRolledUp: boolean;
  /** Not every record has one: those without are left out of lists. */
  isOptional: boolean;
  meaning: string;
};

const visit = (sql: string, meaning: string): Dimension => ({
  ...{ level: 'visit', sql, arrays: [], isRolledUp: true, isOptional: false, meaning },
});
const record = (array: string, meaning: string, sql = array): Dimension => ({
  ...{ level: 'record', sql, arrays: [array], isRolledUp: true, isOptional: false, meaning },
});
const list = (
  arrays: readonly string[],
  sql: string,
  sqlOf: string | undefined,
  meaning: string,
): Dimension => ({
  ...{ level: 'list', sql, arrays, isRolledUp: false, isOptional: true, meaning },
  ...(sqlOf !== undefined && { sqlOf }),
});
const optional = (dimension: Dimension): Dimension => ({ ...dimension, isOptional: true });
const withoutRollup = (dimension: Dimension): Dimension => ({ ...dimension, isRolledUp: false });

const queryParts = "arrayFilter(p -> p != '', splitByChar('&', query))";
const partName = "decodeURLFormComponent(splitByChar('=', p)[1])";
const partValue = "if(position(p, '=') = 0, '', decodeURLFormComponent(substring(p, position(p, '=') + 1)))";

export const dimensions = {
  page: record('path', 'path of the page'),
  entryPage: optional(visit('entry_page', 'path of the first page view of the visit')),
  exitPage: optional(visit('exit_page', 'path of the last page view of the visit')),
  host: record('host', 'host of the page'),
  queryParameter: list(
    ['query'],
    `arrayMap(p -> ${partName}, ${queryParts})`,
    `arrayMap(p -> ${partValue}, arrayFilter(p -> ${partName} = {of}, ${queryParts}))`,
    'name of a parameter in the address; "of" a name: its values',
  ),
  source: visit('source', 'where the visit came from; empty when direct'),
  channel: visit('channel', 'kind of source'),
  referrer: optional(withoutRollup(visit('referrer', 'address that the visit came from'))),
  utmSource: optional(visit('utm_source', 'campaign tag utm_source')),
  utmMedium: optional(visit('utm_medium', 'campaign tag utm_medium')),
  utmCampaign: optional(visit('utm_campaign', 'campaign tag utm_campaign')),
  utmTerm: optional(visit('utm_term', 'campaign tag utm_term')),
  utmContent: optional(visit('utm_content', 'campaign tag utm_content')),
  continent: visit('continent', 'code of the continent'),
  country: visit('country', 'ISO 3166-1 code of the country'),
  region: visit('region', 'region'),
  regionCode: visit('region_code', 'code of the region'),
  city: visit('city', 'city'),
  postalCode: visit('postal_code', 'postal code'),
  language: visit('language', 'ISO 639-1 code of the language'),
  timezone: visit('timezone', 'timezone of the visitor'),
  browser: visit('browser', 'browser'),
  browserVersion: visit("trimRight(concat(browser, ' ', browser_version))", 'browser and its version'),
  os: visit('os', 'operating system'),
  osVersion: visit("trimRight(concat(os, ' ', os_version))", 'operating system and its version'),
  device: visit('device', 'class of device'),
  screenSize: visit(
    "if(screen_width = 0 or screen_height = 0, '', concat(toString(screen_width), '×', toString(screen_height)))",
    'screen size in pixels, width × height',
  ),
  event: optional(record('event_name', 'name of the event')),
  parameterName: list(['parameter_names'], 'parameter_names', undefined, 'name of an event parameter'),
  parameterValue: list(
    ['parameter_values', 'parameter_names'],
    'parameter_values',
    'arrayFilter((v, n) -> n = {of}, parameter_values, parameter_names)',
    'value of an event parameter; "of" a name: of that parameter only',
  ),
  hour: record('at', 'hour of the day at the website, 00 to 23', "leftPad(toString(toHour(at)), 2, '0')"),
  weekday: withoutRollup(visit('toString(toDayOfWeek(day))', 'day of the week, 1 (Monday) to 7')),
  visitorType: optional(
    withoutRollup(
      visit(
        "if(not has_client_id, '', if(day = first_day, 'new', 'returning'))",
        'new or returning, for visitors with a ClientId: new on the first day on which they were seen',
      ),
    ),
  ),
} as const satisfies Record<string, Dimension>;

export type DimensionName = keyof typeof dimensions;

/** The same as plain dimensions, for code that goes through all of them. */
export const dimensionOf = (name: DimensionName): Dimension => dimensions[name];
