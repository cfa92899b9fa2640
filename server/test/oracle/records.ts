/** Shared by the tests of the statistics: records in memory, and how to make them. */

import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import fc from 'fast-check';
import { createDecodeAddresses } from '../../src/loader/decode-addresses.ts';
import { recordColumns } from '../../src/records/record-columns.ts';
import type { Store } from '../../src/store/open-store.ts';

/** A record as the journal has it, except for the website. */
export type TestRecord = {
  receivedAtMs: number;
  /** How long before that it happened. */
  waitedMs: number;
  day: string;
  localAt: string;
  kind: 'page_view' | 'event';
  visitorId: bigint;
  deviceId: bigint;
  /** The place among the records of the same millisecond. */
  receivedOrder: number;
  hasClientId: boolean;
  host: string;
  path: string;
  query: string;
  referrer: string;
  source: string;
  channel: string;
  utm: [string, string, string, string, string];
  continent: string;
  country: string;
  region: string;
  regionCode: string;
  city: string;
  postalCode: string;
  timezone: string;
  language: string;
  browser: string;
  browserVersion: string;
  os: string;
  osVersion: string;
  device: string;
  screen: [number, number];
  isBot: boolean;
  bot: string;
  event: string;
  parameters: { name: string; value: string }[];
};

/** Times around a clock change of a place, and days before and after. */
export type Calendar = { startMs: number; days: number; timezones: [before: string, after: string] };

const hourMs = 3_600_000;
const pick = <T>(...values: T[]) => fc.constantFrom(...values);

/**
 * Makes records with few devices, people and values, so that visits, gaps and equal values are frequent.
 * People sign in during a visit, share a device, and use several.
 */
export function recordsOf({ startMs, days, timezones }: Calendar): fc.Arbitrary<TestRecord[]> {
  const changeMs = startMs + (days * 24 * hourMs) / 2;
  const local = timezones.map((timezone) => createLocalTime(timezone));
  const record = fc.record({
    // Just below and at the pause that ends a visit, and records of the same millisecond.
    sinceLastMs: pick(0, 1, 1000, 60_000, 600_000, 1_799_999, 1_800_000, 2_500_000),
    // Few had to wait, from a moment to more than a day, so that they come after others that happened later.
    waitedMs: pick(0, 0, 0, 0, 0, 0, 0, 1, 2_000_000, 26 * hourMs),
    kind: pick<TestRecord['kind']>('page_view', 'page_view', 'event'),
    host: pick('a.test', 'www.a.test'),
    path: pick('/', '/pricing', '/blog/ä', '/blog/%c3%A4', "/it's", '/%20'),
    query: pick('', 'ref=x', 'a=1&a=2&b', 'q=f%C3%BC+r&=1', 'a=1&__proto__=2'),
    referrer: pick('', 'https://news.test/item', 'https://a.test/'),
    source: pick('', 'Google', 'ChatGPT', 'news.test'),
    channel: pick('direct', 'search', 'paidSearch'),
    utm: fc.tuple(pick('', 's'), pick('', 'm'), pick('', 'spring', 'Frühling'), pick('', 't'), pick('', 'c')),
    continent: pick('', 'EU', 'NA'),
    country: pick('', 'DE', 'US'),
    region: pick('', 'Berlin'),
    regionCode: pick('', 'BE'),
    city: pick('', 'Berlin', 'x'.repeat(250)),
    postalCode: pick('', '10115'),
    timezone: pick('', 'Europe/Berlin'),
    language: pick('en', 'de'),
    browser: pick('', 'Firefox', 'Chrome'),
    browserVersion: pick('', '145'),
    os: pick('Windows', 'iOS'),
    osVersion: pick('', '18'),
    device: pick('desktop', 'mobile'),
    screen: pick<[number, number]>([0, 0], [1920, 1080], [390, 844]),
    isBot: pick(false, false, false, false, true),
    event: pick('Signup', 'Purchase', "O'Neil 😀", '__proto__'),
    parameters: fc.array(
      fc.record({ name: pick('plan', 'value', '__proto__'), value: pick('', 'pro', '10', "'; drop") }),
      { maxLength: 3 },
    ),
  });
  const trail = fc.record({
    startMs: fc.nat(days * 24 * hourMs).map((ms) => startMs + ms),
    device: fc.nat(8),
    people: fc.tuple(fc.nat(5), fc.nat(5)),
    // Who is signed in at each record: nobody, or one of the two people.
    signedIn: pick<(at: number) => number | undefined>(
      () => undefined,
      () => undefined,
      () => 0,
      (at) => (at < 2 ? undefined : 0),
      (at) => (at === 1 ? 0 : undefined),
      (at) => [undefined, 0, 1][at % 3],
    ),
    isOneNode: fc.boolean(),
    records: fc.array(record, { minLength: 1, maxLength: 7, size: 'max' }),
  });
  return fc.array(trail, { minLength: 12, maxLength: 25 }).map((trails) =>
    trails.flatMap(({ device, people, signedIn, isOneNode, records, startMs: firstMs }) => {
      let occurredAtMs = firstMs;
      let receivedOrder = 0;
      return records.map(({ sinceLastMs, ...draft }, at) => {
        occurredAtMs += sinceLastMs;
        receivedOrder = sinceLastMs === 0 && isOneNode ? receivedOrder + 1 : 0;
        const { day, at: localAt } = local[occurredAtMs < changeMs ? 0 : 1]!(occurredAtMs);
        const isEvent = draft.kind === 'event';
        const person = signedIn(at);
        const deviceId = idOf(device, BigInt(Date.parse(day)));
        return {
          ...draft,
          receivedAtMs: occurredAtMs + draft.waitedMs,
          day,
          localAt,
          receivedOrder,
          deviceId,
          hasClientId: person !== undefined,
          visitorId: person === undefined ? deviceId : idOf(people[person]!, 1n),
          event: isEvent ? draft.event : '',
          parameters: isEvent ? draft.parameters : [],
          bot: draft.isBot ? 'GPTBot' : '',
        };
      });
    }),
  );
}

export const occurredAtMs = ({ receivedAtMs, waitedMs }: TestRecord) => receivedAtMs - waitedMs;

/** Returns the id of a person, or of a device, whose salt changes every day. */
function idOf(number: number, salt: bigint): bigint {
  return BigInt.asUintN(64, (BigInt(number) * 1_000_003n + salt) * 0x9e37_79b9_7f4a_7c15n);
}

/** Inserts records as the loader does, or as an older version did, which left addresses encoded. */
export async function insertRecords(
  store: Pick<Store, 'insertBatch'>,
  websiteId: number,
  records: readonly TestRecord[],
  batch = 1,
  version: 'this' | 'older' = 'this',
): Promise<void> {
  const columns = ['node', 'batch', ...recordColumns];
  const decode = createDecodeAddresses(recordColumns);
  const lines = records.map((record) => {
    const bytes = Buffer.from(JSON.stringify(toRow(websiteId, record)));
    const decoded = version === 'this' ? decode({ bytes, start: 0, end: bytes.length }) : undefined;
    return `["test",${batch},${(decoded ?? bytes).toString().slice(1)}\n`;
  });
  const body = Buffer.from(lines.join(''));
  await store.insertBatch({ columns, body, rows: records.length, queryId: `test-${websiteId}-${batch}` });
}

function toRow(websiteId: number, record: TestRecord): unknown[] {
  return [
    record.day,
    websiteId,
    new Date(record.receivedAtMs).toISOString().slice(0, 23).replace('T', ' '),
    record.localAt,
    record.kind,
    String(record.visitorId),
    record.hasClientId,
    record.host,
    record.path,
    record.query,
    ...record.utm,
    record.referrer,
    URL.parse(record.referrer)?.hostname ?? '',
    record.source,
    record.channel,
    record.continent,
    record.country,
    record.region,
    record.regionCode,
    record.city,
    record.postalCode,
    record.timezone,
    record.language,
    record.browser,
    record.browserVersion,
    record.os,
    record.osVersion,
    record.device,
    record.isBot,
    record.bot,
    ...record.screen,
    record.event,
    record.parameters.map(({ name }) => name),
    record.parameters.map(({ value }) => value),
    String(record.deviceId),
    record.receivedOrder,
    record.waitedMs,
  ];
}
