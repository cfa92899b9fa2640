import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { findFaults } from '@trackside/contract/tracking/find-faults.ts';
import fc from 'fast-check';
import { makeRequest } from '../visitor/test-request.ts';
import { cloudflare, cloudfront, completeLocation, fromHeaders, netlify, vercel } from './location.ts';

const ip = '203.0.113.7';
const unknown = completeLocation(undefined);
const ask = (source: typeof cloudflare, headers: Record<string, string>) =>
  source(makeRequest(ip, headers), ip);
const asBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const asBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');

describe('Cloudflare', () => {
  test('sends the country, and everything with the visitor location headers', () => {
    assert.deepEqual(ask(cloudflare, { 'cf-ipcountry': 'DE' }), {
      ...unknown,
      CountryCode: 'DE',
      ContinentCode: 'EU',
    });
    const headers = {
      'cf-ipcontinent': 'SA',
      'cf-ipcountry': 'BR',
      'cf-ipcity': asBytes('São Paulo'),
      'cf-postal-code': '01000',
      'cf-region': asBytes('São Paulo'),
      'cf-region-code': 'SP',
      'cf-timezone': 'America/Sao_Paulo',
    };
    assert.deepEqual(ask(cloudflare, headers), {
      ContinentCode: 'SA',
      CountryCode: 'BR',
      City: 'São Paulo',
      PostalCode: '01000',
      Region: 'São Paulo',
      RegionCode: 'SP',
      Timezone: 'America/Sao_Paulo',
    });
  });

  test('knows nothing about Tor and unknown addresses', () => {
    assert.equal(ask(cloudflare, { 'cf-ipcountry': 'T1', 'cf-ipcontinent': 'T1' }), undefined);
    assert.equal(ask(cloudflare, { 'cf-ipcountry': 'XX' }), undefined);
    assert.equal(ask(cloudflare, {}), undefined);
  });

  test('has names right whichever way the runtime presents them', async () => {
    const cities = ['Žilina', '大阪市', 'Chía', 'Zürich', 'Srīperumbūdūr'];
    for (const city of cities) {
      assert.equal((await ask(cloudflare, { 'cf-ipcity': asBytes(city) }))?.City, city);
      assert.equal((await ask(cloudflare, { 'cf-ipcity': city }))?.City, city);
      assert.equal((await ask(cloudflare, { 'cf-ipcity': encodeURIComponent(city) }))?.City, city);
    }
    // The last two characters would be one in UTF-8. The first one shows that the text is already decoded.
    assert.equal((await ask(cloudflare, { 'cf-ipcity': 'ŌÃ£' }))?.City, 'ŌÃ£');
  });

  test('reads UTF-8 as a real server receives it', async () => {
    const found = await new Promise<unknown>((resolve, reject) => {
      const server = createServer((incoming, answer) => {
        answer.end();
        server.close();
        resolve(ask(cloudflare, incoming.headers as Record<string, string>));
      });
      server.listen(0, '127.0.0.1', () => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', reject);
        socket.end(
          'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nCF-IPCity: Ōbu\r\nCF-IPCountry: JP\r\n\r\n',
        );
        socket.resume();
      });
    });
    assert.deepEqual(found, { ...unknown, ContinentCode: 'AS', CountryCode: 'JP', City: 'Ōbu' });
  });
});

test('Vercel sends everything except the name of the region, with percent encoding', () => {
  const headers = {
    'x-vercel-ip-continent': 'SA',
    'x-vercel-ip-country': 'BR',
    'x-vercel-ip-country-region': 'SP',
    'x-vercel-ip-city': 'S%C3%A3o%20Paulo',
    'x-vercel-ip-postal-code': '01000',
    'x-vercel-ip-timezone': 'America/Sao_Paulo',
  };
  assert.deepEqual(ask(vercel, headers), {
    ContinentCode: 'SA',
    CountryCode: 'BR',
    City: 'São Paulo',
    PostalCode: '01000',
    Region: null,
    RegionCode: 'SP',
    Timezone: 'America/Sao_Paulo',
  });
});

test('CloudFront sends everything except the continent', () => {
  const headers = {
    'cloudfront-viewer-country': 'CH',
    'cloudfront-viewer-country-region': 'ZH',
    'cloudfront-viewer-country-region-name': 'Z%C3%BCrich',
    'cloudfront-viewer-city': 'Z%C3%BCrich',
    'cloudfront-viewer-postal-code': '8001',
    'cloudfront-viewer-time-zone': 'Europe/Zurich',
  };
  assert.deepEqual(ask(cloudfront, headers), {
    ContinentCode: 'EU',
    CountryCode: 'CH',
    City: 'Zürich',
    PostalCode: '8001',
    Region: 'Zürich',
    RegionCode: 'ZH',
    Timezone: 'Europe/Zurich',
  });
});

describe('Netlify', () => {
  const geo = {
    city: 'Zürich',
    country: { code: 'CH', name: 'Switzerland' },
    subdivision: { code: 'ZH', name: 'Zurich' },
    timezone: 'Europe/Zurich',
    postalCode: '8001',
    latitude: 47.4,
  };

  test('sends everything in one header', () => {
    assert.deepEqual(ask(netlify, { 'x-nf-geo': asBase64(geo), 'x-country': 'US' }), {
      ContinentCode: 'EU',
      CountryCode: 'CH',
      City: 'Zürich',
      PostalCode: '8001',
      Region: 'Zurich',
      RegionCode: 'ZH',
      Timezone: 'Europe/Zurich',
    });
  });

  test('sends the country when that header is missing or broken', () => {
    const deep = Buffer.from('['.repeat(3000)).toString('base64');
    const wrong = [
      '',
      '%%%',
      'bm90IGpzb24=',
      asBase64(null),
      asBase64(7),
      asBase64([]),
      asBase64({ country: null }),
      deep,
    ];
    for (const value of [
      ...wrong,
      asBase64({ country: 'CH', city: { a: 1 } }),
      'A'.repeat(1_000_000),
      '/////w==',
    ]) {
      const headers = { 'x-nf-geo': value, 'x-country': 'US' };
      assert.deepEqual(
        ask(netlify, headers),
        { ...unknown, CountryCode: 'US', ContinentCode: 'NA' },
        value.slice(0, 40),
      );
    }
    assert.equal(ask(netlify, {}), undefined);
  });
});

describe('headers by name', () => {
  test('are read in any letter case', () => {
    const source = fromHeaders({ CountryCode: 'X-Geo-Country', City: 'x-geo-city' });
    assert.deepEqual(ask(source, { 'x-geo-country': 'jp', 'x-geo-city': 'Ōbu', 'x-geo-region': 'no' }), {
      ...unknown,
      ContinentCode: 'AS',
      CountryCode: 'JP',
      City: 'Ōbu',
    });
    assert.equal(ask(source, { 'x-geo-country': 'ZZ' }), undefined);
  });

  test('are refused if they are not headers', () => {
    assert.throws(() => fromHeaders({ City: 'x geo city' }), {
      message: 'fromHeaders: City: expected a header name such as x-geo-country, got "x geo city"',
    });
    assert.throws(
      () => fromHeaders({ City: 7 as unknown as string }),
      /City: expected a header name .* got number/,
    );
    assert.throws(
      () => fromHeaders({ Country: 'x-country' } as object),
      /expected members of .*CountryCode.* got Country$/,
    );
  });
});

test('no header makes a source throw or return what the interface refuses', () => {
  const sources = [cloudflare, vercel, cloudfront, netlify, fromHeaders({ City: 'a', Region: 'b' })];
  const anyCharacter = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const anyValue = fc.anything({ maxDepth: 1, maxKeys: 2 });
  const hostile = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom(...'%C3A9\u00c3\u00a3\u00ff \0') }),
    anyValue.map((value) => asBase64(value ?? null)),
    fc.record({ city: anyValue, country: anyValue, subdivision: anyValue }).map((value) => asBase64(value)),
    fc.constantFrom('a'.repeat(100_000), '%'.repeat(5000), '\u00c3'.repeat(4000)),
  );
  fc.assert(
    fc.property(hostile, (value) => {
      const request = { ...makeRequest(ip), header: () => value };
      for (const source of sources) {
        const location = source(request, ip) ?? {};
        assert.equal(findFaults(bodyRules.pageView.Metrics.Location, location), undefined);
      }
    }),
    { numRuns: 300 },
  );
});
