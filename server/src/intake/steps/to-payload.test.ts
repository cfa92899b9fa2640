import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { times } from '../../../test/support/long-form.ts';
import { event, pageView } from '../../../test/support/records.ts';
import { recordColumns } from '../../records/record-columns.ts';
import { createDescriber } from '../describe/create-describer.ts';
import { website } from '../test-intake.ts';
import type { Identified } from './identify.ts';
import { createReceivedOrder, createToPayload } from './to-payload.ts';
import type { Valid } from './validate.ts';

const toPayload = createToPayload();
const orderOf = createReceivedOrder();
const describe = createDescriber({ cacheEntries: 10 });

function payloadOf(valid: Valid, pageUrl = 'https://example.com/', ms = '123'): string {
  const identified: Identified = {
    website: website({ id: 42 }),
    valid,
    receivedAtMs: Date.parse(`2026-03-10T23:30:00.${ms}Z`),
    waitedMs: 0,
    place: { websiteId: 42, month: '2026-03', reserved: 1, settled: 0, elsewhere: 0, refused: 0 },
    local: { day: '2026-03-11', at: '2026-03-11 00:30:00' },
    visitor: { id: '18446744073709551615', hasClientId: true, deviceId: '7' },
  };
  const described = describe({ userAgent: '', pageUrl, referrer: null, domain: 'example.com' });
  return toPayload(identified, described, orderOf(identified.receivedAtMs));
}

function rowOf(payload: string): Record<string, unknown> {
  const values = JSON.parse(payload) as unknown[];
  assert.equal(values.length, recordColumns.length);
  return Object.fromEntries(recordColumns.map((column, index) => [column, values[index]]));
}

const view = (changes: Record<string, unknown> = {}) =>
  ({ kind: 'page_view', body: pageView(changes) }) as Valid;
const eventOf = (name: string, parameters: { Name: string; Value: string }[]) =>
  ({ kind: 'event', body: event(name, parameters) }) as Valid;

test('puts each value of a page view into its column', () => {
  const { host, path, channel, visitor_id, ...row } = rowOf(
    payloadOf(view(), 'https://www.example.com/pricing'),
  );
  assert.deepEqual({ host, path }, { host: 'www.example.com', path: '/pricing' });
  assert.equal(visitor_id, '18446744073709551615');
  const expected = {
    day: '2026-03-11',
    website_id: 42,
    received_at: '2026-03-10 23:30:00.123',
    local_at: '2026-03-11 00:30:00',
    kind: 'page_view',
    has_client_id: true,
    continent: 'EU',
    country: 'DE',
    region: 'Bavaria',
    region_code: 'BY',
    city: 'Munich',
    postal_code: '80331',
    timezone: 'Europe/Berlin',
    language: 'de',
    screen_width: 1920,
    screen_height: 1080,
    event_name: '',
    parameter_names: [],
    parameter_values: [],
    device_id: '7',
    received_order: 0,
    waited_ms: 0,
  };
  for (const [column, value] of Object.entries(expected)) assert.deepEqual(row[column], value, column);
  assert.equal(typeof channel, 'string');
});

test('numbers the records of a millisecond in order of arrival', () => {
  const orderAt = (ms: string) => rowOf(payloadOf(view(), undefined, ms)).received_order;
  assert.deepEqual(['500', '500', '500', '501', '500'].map(orderAt), [0, 1, 2, 0, 0]);
});

test('keeps the order and the duplicates of an event’s parameters', () => {
  const parameters = ['b', 'a', 'b'].map((Name, index) => ({ Name, Value: String(index) }));
  const row = rowOf(payloadOf(eventOf('Signup', parameters)));
  assert.equal(row.kind, 'event');
  assert.equal(row.event_name, 'Signup');
  assert.deepEqual(row.parameter_names, ['b', 'a', 'b']);
  assert.deepEqual(row.parameter_values, ['0', '1', '2']);
});

test('writes the country in uppercase and the language in lowercase, and unknown values as empty', () => {
  const row = rowOf(
    payloadOf(view({ Language: { Code: 'DE' }, Location: { CountryCode: 'xk', City: null } })),
  );
  assert.equal(row.language, 'de');
  assert.equal(row.country, 'XK');
  for (const column of ['continent', 'city', 'region', 'region_code', 'postal_code', 'timezone'])
    assert.equal(row[column], '', column);
});

test('rounds a screen with fractions', () => {
  const row = rowOf(payloadOf(view({ Screen: { Width: 1535.6, Height: 0.4 } })));
  assert.deepEqual([row.screen_width, row.screen_height], [1536, 0]);
});

test('writes one line of valid JSON in UTF-8 for any text, with lone surrogates replaced', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 20 });
  const broken = fc.array(fc.oneof(text, fc.constantFrom('\ud800', '\udfff', '\\ud8', '\n', '😀')), {
    maxLength: 4,
  });
  const any = broken.map((parts) => parts.join(''));
  fc.assert(
    fc.property(any, any, any, any, (name, key, value, city) => {
      const body = { ...event(name, [{ Name: key, Value: value }]) };
      Object.assign(body.Metrics.Location, { City: city });
      const payload = payloadOf({ kind: 'event', body } as Valid);
      assert.ok(payload.isWellFormed());
      assert.doesNotMatch(payload, /[\n\r]/);
      assert.equal(Buffer.from(payload).toString(), payload);
      const row = rowOf(payload);
      assert.equal(row.event_name, name.toWellFormed());
      assert.deepEqual(row.parameter_names, [key.toWellFormed()]);
      assert.deepEqual(row.parameter_values, [value.toWellFormed()]);
      assert.equal(row.city, city.toWellFormed());
    }),
    { numRuns: times(150, 500) },
  );
});

test('contains neither the address, nor the user agent, nor the ClientId', () => {
  const private_ = {
    Browser: { IP: '198.51.100.77', UserAgent: 'Secret-Agent' },
    Identify: { ClientId: 'account-7' },
  };
  assert.doesNotMatch(payloadOf(view(private_)), /198\.51|Secret-Agent|account-7/);
});
