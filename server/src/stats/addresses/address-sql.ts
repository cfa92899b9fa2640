import { type AddressRules, leadingWww, plainRules } from '../../text/address-rules.ts';

/** How a statement on records gets pages and hosts by the rules of their website. */
export type AddressSql = {
  /** Returns the expression for the page of a path. */
  path: (sql: string) => string;
  /** Returns the expression for a host. */
  host: (sql: string) => string;
};

/**
 * Returns what `toPage` and `toHost` do to the paths and hosts of records, as SQL. They are decoded when they
 * are loaded, so with plain rules nothing is left to do.
 */
export function addressSql(rules: AddressRules = plainRules): AddressSql {
  const withoutSlashes = rules.ignoreTrailingSlash ? withoutSlashesSql : asItIs;
  const inOneCase = rules.ignoreCase ? (sql: string) => `lowerUTF8(${sql})` : asItIs;
  return {
    path: (sql) => inOneCase(withoutSlashes(sql)),
    host: rules.ignoreWww ? withoutWwwSql : asItIs,
  };
}

const asItIs = (sql: string) => sql;

/** The first slash always stays. A visit without page views has an empty entry page, which stays empty. */
function withoutSlashesSql(sql: string): string {
  return `if(endsWith(${sql}, '/'), concat('/', trim(trailing '/' from substring(${sql}, 2))), ${sql})`;
}

function withoutWwwSql(sql: string): string {
  const pattern = leadingWww.replaceAll('\\', '\\\\');
  return `if(startsWith(${sql}, 'www.'), replaceRegexpOne(${sql}, '${pattern}', '\\\\2'), ${sql})`;
}
