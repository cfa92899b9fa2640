import type { Exclusion } from '@trackside/contract/app/exclusion-kinds.ts';
import { occurredAtSql } from '../../records/occurred-at.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type AddressRules, toPage, toPartOfPage } from '../../text/address-rules.ts';
import { shownHost } from '../../text/shown-host.ts';
import { addressSql } from '../addresses/address-sql.ts';
import { Parameters } from '../question/dimensions.ts';

/** What rules would have excluded in the last 24 hours. */
export type ExcludedRecords = {
  /** All records of that time. */
  records: number;
  /** Those that at least one of the rules would have excluded, as far as the store can tell. */
  excluded: number;
  /** In the order of the rules. Null where the store can't tell, because addresses and agents aren't kept. */
  byRule: (number | null)[];
};

const dayMs = 86_400_000;

/** The host without its port and `www.`, as the rules have it. */
const bareHostSql = "replaceRegexpOne(replaceRegexpOne(host, ':[0-9]+$', ''), '^www\\\\.', '')";
/** A parameter may have no value, which the store's own functions for URLs would skip. */
const queryNamesSql =
  "arrayMap(pair -> lower(decodeURLFormComponent(splitByChar('=', pair)[1])), splitByChar('&', query))";

/** Counts the stored records that rules match. It reads all records of a day, so it is for people who wait. */
export async function askExcluded(
  store: WebsiteStore,
  { rules, nowMs, addresses }: { rules: readonly Exclusion[]; nowMs: number; addresses: AddressRules },
): Promise<ExcludedRecords> {
  const parameters = new Parameters();
  const conditions = rules.map((rule) => conditionOf(rule, rules, addresses, parameters));
  const known = conditions.filter((condition) => condition !== undefined);
  const counts = conditions.map((condition, index) =>
    condition === undefined ? '' : `, countIf(${condition}) as r${index}`,
  );
  const now = parameters.add('Int64', nowMs);
  const query = `
    select count() as records, countIf(${known.join(' or ') || 'false'}) as excluded ${counts.join('')}
    from records
    where website_id = {website_id:UInt32}
      and day between toDate(${now} / 1000, 'UTC') - 2 and toDate(${now} / 1000, 'UTC') + 1
      and ${occurredAtSql()} > fromUnixTimestamp64Milli(${now} - ${dayMs}, 'UTC')`;
  const [row] = await store.query<Record<string, number>>({ query, params: parameters.values });
  return {
    records: row!.records!,
    excluded: row!.excluded!,
    byRule: rules.map((_, index) => row![`r${index}`] ?? null),
  };
}

function conditionOf(
  { kind, value }: Exclusion,
  rules: readonly Exclusion[],
  addresses: AddressRules,
  parameters: Parameters,
): string | undefined {
  const text = (of: string) => parameters.add('String', of);
  const start = value.endsWith('*') ? value.slice(0, -1) : undefined;
  const isHost = (host: string) =>
    host.startsWith('*.')
      ? `endsWith(${bareHostSql}, ${text(`.${shownHost(host.slice(2))}`)})`
      : `${bareHostSql} = ${text(shownHost(host))}`;
  if (kind === 'host') return isHost(value);
  // Each of these rules lets records of its host through, so they only mean something together.
  if (kind === 'own-host')
    return `not (${rules
      .filter((rule) => rule.kind === 'own-host')
      .map((rule) => isHost(rule.value))
      .join(' or ')})`;
  if (kind === 'path') {
    const page = addressSql(addresses).path('path');
    return start === undefined
      ? `${page} = ${text(toPage(value, addresses))}`
      : `startsWith(${page}, ${text(toPartOfPage(start, addresses))})`;
  }
  if (kind === 'query') return `has(${queryNamesSql}, ${text(value.toLowerCase())})`;
  if (kind === 'event') {
    const isNamed =
      start === undefined ? `event_name = ${text(value)}` : `startsWith(event_name, ${text(start)})`;
    return `(kind = 'event' and ${isNamed})`;
  }
  return undefined;
}
