import { createUtcFormat } from '@trackside/contract/calendar/local-time.ts';
import type { recordColumns } from '../../records/record-columns.ts';
import type { Described } from '../describe/create-describer.ts';
import type { Identified } from './identify.ts';

type Value = string | number | boolean | readonly string[];
/** One value for each column: a column that is added to the list and forgotten here does not compile. */
type RowOf<Columns extends readonly string[]> = { [K in keyof Columns]: Value };

/** Writes a record as the line that the store's INSERT takes, in the order of recordColumns. */
export function createToPayload(): (identified: Identified, described: Described) => string {
  const formatUtc = createUtcFormat();
  return (identified, described) => {
    const payload = JSON.stringify(toRow(identified, described, formatUtc(identified.receivedAtMs)));
    // A lone surrogate is the only thing that stringify writes as \ud…; it is not text that UTF-8 can hold.
    if (!payload.includes('\\ud')) return payload;
    return JSON.stringify(JSON.parse(payload), replaceLoneSurrogates);
  };
}

function toRow(
  identified: Identified,
  described: Described,
  receivedAt: string,
): RowOf<typeof recordColumns> {
  const { website, valid, local, visitor } = identified;
  const { Language, Location, Screen } = valid.body.Metrics;
  const event = valid.kind === 'event' ? valid.body : undefined;
  return [
    local.day,
    website.id,
    receivedAt,
    local.at,
    valid.kind,
    visitor.id,
    visitor.hasClientId,
    described.host,
    described.path,
    described.query,
    described.utmSource,
    described.utmMedium,
    described.utmCampaign,
    described.utmTerm,
    described.utmContent,
    described.referrer,
    described.referrerHost,
    described.source,
    described.channel,
    Location.ContinentCode ?? '',
    Location.CountryCode?.toUpperCase() ?? '',
    Location.Region ?? '',
    Location.RegionCode ?? '',
    Location.City ?? '',
    Location.PostalCode ?? '',
    Location.Timezone ?? '',
    Language.Code.toLowerCase(),
    described.browser,
    described.browserVersion,
    described.os,
    described.osVersion,
    described.device,
    described.isBot,
    described.bot,
    Math.round(Screen.Width),
    Math.round(Screen.Height),
    event?.Name ?? '',
    event?.Parameters.map((parameter) => parameter.Name) ?? [],
    event?.Parameters.map((parameter) => parameter.Value) ?? [],
  ];
}

function replaceLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
