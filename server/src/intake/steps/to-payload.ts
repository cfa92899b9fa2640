import assert from 'node:assert';
import { createUtcFormat } from '@trackside/contract/calendar/local-time.ts';
import { recordColumns } from '../../records/record-columns.ts';
import type { Described } from '../describe/create-describer.ts';
import type { Identified } from './identify.ts';

type Value = string | number | boolean | readonly string[];
/** One value for each column: a column that is added to the list and forgotten here does not compile. */
type Row = { [Column in (typeof recordColumns)[number]]: Value };

/** The highest number that the store's column can hold. */
const mostOrder = 65_535;

/** Writes a record as the line that the store's INSERT takes, with values in the order of recordColumns. */
export function createToPayload(): (
  identified: Identified,
  described: Described,
  /** The record's place among those of its millisecond. */
  order: number,
) => string {
  const formatUtc = createUtcFormat();
  let hasCheckedOrder = false;
  return (identified, described, order) => {
    const received = { at: formatUtc(identified.receivedAtMs), order };
    const row = toRow(identified, described, received);
    // Once is enough, because every row is made by the same code.
    if (!hasCheckedOrder) assertColumns(row);
    hasCheckedOrder = true;
    const payload = JSON.stringify(Object.values(row));
    // Only a lone surrogate makes stringify write \ud…, and UTF-8 cannot hold it.
    if (!payload.includes('\\ud')) return payload;
    return JSON.stringify(JSON.parse(payload), replaceLoneSurrogates);
  };
}

/**
 * Counts the records of a millisecond, in the order in which their payloads are made. They go into the
 * journal in the same order.
 */
export function createReceivedOrder(): (receivedAtMs: number) => number {
  let lastMs = Number.NaN;
  let order = 0;
  return (receivedAtMs) => {
    order = receivedAtMs === lastMs ? Math.min(order + 1, mostOrder) : 0;
    lastMs = receivedAtMs;
    return order;
  };
}

function assertColumns(row: Row): void {
  assert.deepEqual(
    Object.keys(row),
    recordColumns,
    'A payload must have its values in the order of the columns: ' +
      'the segment names them once, for all of its records.',
  );
}

/** In the order of recordColumns. */
function toRow(identified: Identified, described: Described, received: { at: string; order: number }): Row {
  const { website, valid, local, visitor } = identified;
  const { Language, Location, Screen } = valid.body.Metrics;
  const event = valid.kind === 'event' ? valid.body : undefined;
  return {
    day: local.day,
    website_id: website.id,
    received_at: received.at,
    local_at: local.at,
    kind: valid.kind,
    visitor_id: visitor.id,
    has_client_id: visitor.hasClientId,
    host: described.host,
    path: described.path,
    query: described.query,
    utm_source: described.utmSource,
    utm_medium: described.utmMedium,
    utm_campaign: described.utmCampaign,
    utm_term: described.utmTerm,
    utm_content: described.utmContent,
    referrer: described.referrer,
    referrer_host: described.referrerHost,
    source: described.source,
    channel: described.channel,
    continent: Location.ContinentCode ?? '',
    country: Location.CountryCode?.toUpperCase() ?? '',
    region: Location.Region ?? '',
    region_code: Location.RegionCode ?? '',
    city: Location.City ?? '',
    postal_code: Location.PostalCode ?? '',
    timezone: Location.Timezone ?? '',
    language: Language.Code.toLowerCase(),
    browser: described.browser,
    browser_version: described.browserVersion,
    os: described.os,
    os_version: described.osVersion,
    device: described.device,
    is_bot: described.isBot,
    bot: described.bot,
    screen_width: Math.round(Screen.Width),
    screen_height: Math.round(Screen.Height),
    event_name: event?.Name ?? '',
    parameter_names: event?.Parameters.map((parameter) => parameter.Name) ?? [],
    parameter_values: event?.Parameters.map((parameter) => parameter.Value) ?? [],
    device_id: visitor.deviceId,
    received_order: received.order,
    waited_ms: identified.waitedMs,
  };
}

function replaceLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
