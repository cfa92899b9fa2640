import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownPath } from '@trackside/contract/stats/shown-path.ts';
import fc from 'fast-check';
import { earlierRecordColumns, recordColumns } from '../records/record-columns.ts';
import { shownHost } from '../text/shown-host.ts';
import { createDecodeAddresses } from './decode-addresses.ts';

type Address = { host: string; path: string; query?: string };

/** Makes a payload as the journal has it, in the middle of other bytes. */
function payloadOf(columns: readonly string[], { host, path, query = '' }: Address) {
  const values: Record<string, unknown> = {
    day: '2026-03-10',
    website_id: 12,
    received_at: '2026-03-10 09:00:00.001',
    local_at: '2026-03-10 10:00:00',
    kind: 'page_view',
    visitor_id: '18446744073709551615',
    has_client_id: false,
    host,
    path,
    query,
    referrer: 'https://xn--mller-kva.example/%c3%a4',
    parameter_names: ['%c3%a4', '"'],
  };
  const text = JSON.stringify(columns.map((column) => values[column] ?? ''));
  const before = Buffer.from('%"--');
  const bytes = Buffer.concat([before, Buffer.from(text), Buffer.from('"%')]);
  return { bytes, start: before.length, end: bytes.length - 2, text };
}

/** Returns the values of a payload after decoding, and whether there was anything to do. */
function decode(columns: readonly string[], address: Address) {
  const { text, ...payload } = payloadOf(columns, address);
  const decoded = createDecodeAddresses(columns)(payload);
  return {
    came: JSON.parse(text),
    loaded: JSON.parse(decoded?.toString() ?? text),
    isSame: decoded === undefined,
  };
}

const place = { host: recordColumns.indexOf('host'), path: recordColumns.indexOf('path') };

test('leaves readable addresses unchanged, whatever is in the other columns', () => {
  for (const path of ['/', '/about--us', '/ä', '/%2F%C3x'])
    assert.equal(decode(recordColumns, { host: 'a--b.test', path, query: 'q=%c3%a4' }).isSame, true, path);
});

test('decodes only path and host, in every version of the columns', () => {
  for (const columns of [recordColumns, ...earlierRecordColumns]) {
    const { came, loaded } = decode(columns, {
      host: 'xn--mller-kva.example:8080',
      path: '/caf%c3%a9/%7Eada',
      query: 'q=%c3%a4',
    });
    came[place.host] = 'müller.example:8080';
    came[place.path] = '/café/~ada';
    assert.deepEqual(loaded, came);
  }
});

test('leaves a segment without addresses unchanged', () => {
  assert.equal(decode(['day', 'website_id', 'received_at', 'query'], { host: '', path: '%41' }).isSame, true);
});

test('decodes any text by the rules of paths and hosts, even the second time', () => {
  const text = fc.array(
    fc.constantFrom(
      '/',
      '%c3%a9',
      '%41',
      '%',
      '"',
      '\\',
      ',',
      '\n',
      'ä',
      'xn--mller-kva',
      '.',
      'x'.repeat(300),
    ),
    {
      maxLength: 12,
    },
  );
  const decodeAddresses = createDecodeAddresses(recordColumns);
  fc.assert(
    fc.property(text, text, (host, path) => {
      const address = { host: host.join(''), path: path.join('') };
      const { text: came, ...payload } = payloadOf(recordColumns, address);
      const expected = JSON.parse(came);
      expected[place.host] = shownHost(address.host);
      expected[place.path] = shownPath(address.path);
      for (let times = 0; times < 2; times += 1)
        assert.deepEqual(JSON.parse(decodeAddresses(payload)?.toString() ?? came), expected);
    }),
  );
});
