import type { StoredOrigin } from '../records/stored-origin.ts';
import { changeRecords, type Month, ofMonth, type RewriteOptions, settings } from './change-records.ts';
import type { StatementRunner } from './remove-rows.ts';

/**
 * Records of a month that say the same about where their visitors came from. Of `utmTerm` and `utmContent`, it
 * has only whether there is one: '' or 'x'.
 */
export type OriginGroup = StoredOrigin & {
  /** 64 bits in decimal, made of everything else. It changes when source or channel changes. */
  key: string;
  records: number;
};

/** The new source and channel of a group. */
export type OriginChange = { key: string; source: string; channel: string };

const refs = `arrayStringConcat(
  arrayFilter(pair -> match(pair, '(?i)^(ref|source)='), splitByChar('&', query)), '&')`;
const protocol = `extract(referrer, '^[^/]+:')`;
const groupKey = `cityHash64(
  host, utm_source, utm_medium, utm_campaign, utm_term = '', utm_content = '', ${refs},
  ${protocol}, referrer_host, source, channel)`;
const ofGroups = `${ofMonth} and ${groupKey} in {keys:Array(UInt64)}`;

/** Lists the groups of a month in the order of their keys, some at a time. */
export async function listOrigins(
  runner: StatementRunner,
  { month, afterKey, limit }: { month: Month; afterKey: string; limit: number },
): Promise<OriginGroup[]> {
  return await runner.query<OriginGroup>({
    query: `
      select
        toString(group_key) as key, count() as records, any(from_host) as host, any(from_utm.1) as utmSource,
        any(from_utm.2) as utmMedium, any(from_utm.3) as utmCampaign, any(from_utm.4) as utmTerm,
        any(from_utm.5) as utmContent, any(from_refs) as refs, any(from_protocol) as referrerProtocol,
        any(referrer_host) as referrerHost, any(from_source) as source, any(from_channel) as channel
      from (
        select
          ${groupKey} as group_key, host as from_host, referrer_host, source as from_source,
          channel as from_channel, ${refs} as from_refs, ${protocol} as from_protocol,
          (utm_source, utm_medium, utm_campaign, if(utm_term = '', '', 'x'), if(utm_content = '', '', 'x'))
            as from_utm
        from records
        where ${ofMonth}
      )
      where group_key > {after:UInt64}
      group by group_key
      order by group_key
      limit {limit:UInt32}`,
    params: { month, after: BigInt(afterKey), limit },
    settings,
  });
}

/** Writes the new source and channel of some groups of a month into their records. */
export async function rewriteOrigins(
  runner: StatementRunner,
  month: Month,
  changes: readonly OriginChange[],
  options?: RewriteOptions,
): Promise<void> {
  const change = {
    condition: ofGroups,
    values: `
      source = transform(${groupKey}, {keys:Array(UInt64)}, {sources:Array(String)}, toString(source)),
      channel = transform(${groupKey}, {keys:Array(UInt64)}, {channels:Array(String)}, toString(channel))`,
    params: {
      month,
      keys: changes.map(({ key }) => BigInt(key)),
      sources: changes.map(({ source }) => source),
      channels: changes.map(({ channel }) => channel),
    },
  };
  await changeRecords(runner, change, options);
}
