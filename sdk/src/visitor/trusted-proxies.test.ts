import assert from 'node:assert/strict';
import { createServer, request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { isIpAddress } from '@trackside/contract/tracking/ip-address.ts';
import fc from 'fast-check';
import { makeRequest } from './test-request.ts';
import { createAddressReader, type ProxyTrust } from './trusted-proxies.ts';

const visitor = '203.0.113.7';
const forged = '198.51.100.66';
const proxy = '10.0.0.1';

const ipOf = (
  trust: ProxyTrust | undefined,
  peer: string | undefined,
  headers: Record<string, string> = {},
) => createAddressReader(trust).ip(makeRequest(peer, headers));
const forwardedFor = (value: string) => ({ 'x-forwarded-for': value });

describe('without trusted proxies', () => {
  test('takes the peer, whatever the headers say', () => {
    const headers = {
      ...forwardedFor(forged),
      forwarded: `for=${forged}`,
      'cf-connecting-ip': forged,
      'x-real-ip': forged,
    };
    assert.equal(ipOf(undefined, visitor, headers), visitor);
    assert.equal(ipOf(undefined, `::ffff:${visitor}`, headers), visitor);
    assert.equal(ipOf(undefined, 'fe80::1%eth0'), 'fe80::1');
    assert.equal(ipOf(undefined, undefined, headers), undefined);
  });
});

describe('with a number of hops', () => {
  test('takes the address that many places from the right end', () => {
    assert.equal(ipOf({ hops: 1 }, proxy, forwardedFor(visitor)), visitor);
    assert.equal(ipOf({ hops: 1 }, proxy, forwardedFor(`${forged}, ${visitor}`)), visitor);
    assert.equal(ipOf({ hops: 2 }, proxy, forwardedFor(`${forged}, ${visitor}, 10.0.0.2`)), visitor);
    assert.equal(
      ipOf({ hops: 2 }, proxy, forwardedFor(`${forged}, , [2001:db8::1]:443,, 10.0.0.2:80,`)),
      '2001:db8::1',
    );
  });

  test('takes the leftmost of a shorter list', () => {
    assert.equal(ipOf({ hops: 3 }, proxy, forwardedFor(`${visitor}, 10.0.0.2`)), visitor);
  });

  test('takes a public peer that bypassed the proxy, but no internal one, which would merge all visitors', () => {
    assert.equal(ipOf({ hops: 1 }, visitor), visitor);
    assert.equal(ipOf({ hops: 1 }, visitor, forwardedFor(' , ')), visitor);
    assert.equal(ipOf({ hops: 1 }, proxy), undefined);
    assert.equal(ipOf({ hops: 1 }, '127.0.0.1'), undefined);
    assert.equal(ipOf({ hops: 1 }, undefined), undefined);
  });

  test('knows no address if the proxy has hidden it', () => {
    assert.equal(ipOf({ hops: 1 }, proxy, forwardedFor(`${forged}, unknown`)), undefined);
    assert.equal(
      ipOf({ hops: 1, list: 'forwarded' }, proxy, { forwarded: `for=${forged}, for=_hidden` }),
      undefined,
    );
    assert.equal(
      ipOf({ hops: 1, list: 'forwarded' }, proxy, { forwarded: `for=${forged}, proto=https` }),
      undefined,
    );
  });
});

describe('with networks', () => {
  const trust: ProxyTrust = { networks: ['loopback', '10.0.0.0/8', '2001:db8:aaaa::/48'] };

  test('goes left from the peer while the address is one of our proxies', () => {
    assert.equal(ipOf(trust, proxy, forwardedFor(visitor)), visitor);
    assert.equal(
      ipOf(trust, `::ffff:${proxy}`, forwardedFor(`${forged}, ${visitor}, 10.9.9.9, ::1`)),
      visitor,
    );
    assert.equal(ipOf(trust, '2001:db8:aaaa::5', forwardedFor('2001:db8:bbbb::1')), '2001:db8:bbbb::1');
  });

  test('takes a peer that is not one of our proxies, whatever the headers say', () => {
    assert.equal(ipOf(trust, visitor, forwardedFor(forged)), visitor);
    assert.equal(ipOf(trust, '192.168.0.1', forwardedFor(forged)), '192.168.0.1');
    assert.equal(ipOf(trust, undefined, forwardedFor(forged)), undefined);
  });

  test('takes the leftmost if all are ours', () => {
    assert.equal(ipOf(trust, proxy, forwardedFor('10.1.1.1, 10.2.2.2')), '10.1.1.1');
  });

  test('does not count a proxy that forwards nothing', () => {
    assert.equal(ipOf(trust, proxy), undefined);
    assert.equal(ipOf(trust, proxy, forwardedFor('')), undefined);
  });

  test('does not look behind an address that it cannot read', () => {
    assert.equal(ipOf(trust, proxy, forwardedFor(`${forged}, unknown, 10.2.2.2`)), undefined);
  });
});

describe('with one header', () => {
  const trust: ProxyTrust = { header: 'CF-Connecting-IP' };

  test('takes its value, and nothing from other headers', () => {
    assert.equal(ipOf(trust, proxy, { 'cf-connecting-ip': visitor, ...forwardedFor(forged) }), visitor);
    assert.equal(ipOf(trust, undefined, { 'cf-connecting-ip': '2001:DB8::1' }), '2001:db8::1');
  });

  test('takes the right end if it came twice', () => {
    assert.equal(ipOf(trust, proxy, { 'cf-connecting-ip': `${forged}, ${visitor}` }), visitor);
  });

  test('without it, takes a public peer but no internal one', () => {
    assert.equal(ipOf(trust, visitor, forwardedFor(forged)), visitor);
    assert.equal(ipOf(trust, proxy, forwardedFor(forged)), undefined);
    assert.equal(ipOf(trust, undefined, forwardedFor(forged)), undefined);
  });

  test('knows no address if it contains none', () => {
    assert.equal(ipOf(trust, visitor, { 'cf-connecting-ip': 'unknown' }), undefined);
  });

  test('believes it only from the given networks', () => {
    const guarded: ProxyTrust = { header: 'cf-connecting-ip', networks: ['10.0.0.0/8'] };
    assert.equal(ipOf(guarded, proxy, { 'cf-connecting-ip': visitor }), visitor);
    assert.equal(ipOf(guarded, visitor, { 'cf-connecting-ip': forged }), visitor);
    assert.equal(ipOf(guarded, undefined, { 'cf-connecting-ip': forged }), undefined);
    assert.equal(ipOf(guarded, proxy), undefined);
  });

  test("reads CloudFront's IPv6 address with a port", () => {
    const cloudfront: ProxyTrust = { header: 'cloudfront-viewer-address' };
    assert.equal(ipOf(cloudfront, proxy, { 'cloudfront-viewer-address': '2001:db8::1:4430' }), '2001:db8::1');
  });
});

describe('with both list headers', () => {
  const headers = { ...forwardedFor(visitor), forwarded: 'for="[2001:db8::1]:4711"' };

  test('reads only the one that our proxies write', () => {
    for (const trust of [{ hops: 1 }, { networks: [proxy] }]) {
      assert.equal(ipOf(trust, proxy, headers), visitor);
      assert.equal(ipOf({ ...trust, list: 'forwarded' }, proxy, headers), '2001:db8::1');
    }
    assert.equal(ipOf({ networks: [proxy] }, proxy, { forwarded: headers.forwarded }), undefined);
  });

  test('is not confused by a client’s quotes', () => {
    const forwarded = `for=${forged};host="a, for="${visitor}";proto=https`;
    assert.equal(ipOf({ networks: [proxy], list: 'forwarded' }, proxy, { forwarded }), visitor);
  });
});

describe('scheme and host', () => {
  const originOf = (
    trust: ProxyTrust | undefined,
    peer: string | undefined,
    headers: Record<string, string>,
  ) => createAddressReader(trust).origin(makeRequest(peer, headers));
  const told = { ...forwardedFor(visitor), 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };

  test('are what a trusted proxy says', () => {
    for (const trust of [{ hops: 1 }, { networks: [proxy] }]) {
      assert.equal(originOf(trust, proxy, told), 'https://shop.example');
    }
    const { 'x-forwarded-host': _, ...protoOnly } = told;
    assert.equal(originOf({ hops: 1 }, proxy, protoOnly), 'https://shop.internal');
    assert.equal(
      originOf({ header: 'x-real-ip' }, proxy, { ...told, 'x-real-ip': visitor }),
      'https://shop.example',
    );
    const forwarded = `for=${forged};host=evil.example, for=${visitor};host="shop.example:8443";proto=HTTPS`;
    assert.equal(
      originOf({ hops: 1, list: 'forwarded' }, proxy, { ...told, forwarded }),
      'https://shop.example:8443',
    );
  });

  test('are those of the request if no trusted proxy says otherwise', () => {
    for (const trust of [undefined, { networks: [proxy] }, { header: 'x-real-ip' }]) {
      assert.equal(originOf(trust, visitor, told), 'http://shop.internal');
    }
    assert.equal(originOf({ hops: 1 }, proxy, {}), 'http://shop.internal');
  });

  test('are taken as many places from the right as there are proxies', () => {
    const headers = {
      ...forwardedFor(`${forged}, ${visitor}, 10.0.0.2`),
      'x-forwarded-host': 'evil.example, shop.example, inner',
    };
    assert.equal(originOf({ hops: 2 }, proxy, headers), 'http://shop.example');
    assert.equal(originOf({ networks: ['10.0.0.0/8'] }, proxy, headers), 'http://shop.example');
  });

  test('keep the scheme of the proxy if its host is impossible', () => {
    assert.equal(
      originOf({ hops: 1 }, proxy, { ...told, 'x-forwarded-host': 'a:99999' }),
      'https://shop.internal',
    );
  });

  test('stay those of the request if the proxy says something impossible', () => {
    for (const host of [
      'a/b',
      'user@evil.example',
      'a b',
      'a:99999',
      '[::1',
      'a?b',
      'a#b',
      '',
      '.'.repeat(300),
    ]) {
      const origin = originOf({ hops: 1 }, proxy, {
        ...told,
        'x-forwarded-proto': 'javascript',
        'x-forwarded-host': host,
      });
      assert.equal(origin, 'http://shop.internal', host);
    }
  });
});

test('never throws, and returns undefined or an address, for any header', () => {
  const trusts: ProxyTrust[] = [
    { hops: 2 },
    { hops: 2, list: 'forwarded' },
    { networks: ['private'] },
    { header: 'x-real-ip' },
  ];
  const readers = [undefined, ...trusts].map(createAddressReader);
  const hostile = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'0129.:[]"\\,;=%for '), maxLength: 60 }),
  );
  fc.assert(
    fc.property(hostile, hostile, fc.option(hostile, { nil: undefined }), (value, host, peer) => {
      const headers = {
        ...forwardedFor(value),
        forwarded: value,
        'x-real-ip': value,
        'x-forwarded-host': host,
        'x-forwarded-proto': host,
      };
      for (const from of [peer, proxy]) {
        for (const reader of readers) {
          const ip = reader.ip(makeRequest(from, headers));
          assert.ok(ip === undefined || isIpAddress(ip));
          assert.doesNotThrow(() => new URL(reader.origin(makeRequest(from, headers))));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('looks only as far as needed into a long list', () => {
  const elements = 100_000;
  const long = `${'10.0.0.9, '.repeat(elements)}${visitor}`;
  assert.equal(ipOf({ networks: ['private'] }, proxy, forwardedFor(long)), visitor);
  assert.equal(ipOf({ hops: 1 }, proxy, forwardedFor(long)), visitor);
  const quotes = `${'"\\'.repeat(elements)}, for=${visitor}`;
  assert.equal(ipOf({ hops: 1, list: 'forwarded' }, proxy, { forwarded: quotes }), visitor);
  assert.equal(ipOf({ hops: 3, list: 'forwarded' }, proxy, { forwarded: quotes }), undefined);
});

test('refuses a configuration that it does not understand', () => {
  const refuses = (trust: unknown, message: RegExp) =>
    assert.throws(() => createAddressReader(trust as ProxyTrust), message);
  refuses(
    { networks: ['loopback', 'nginx'] },
    /^Error: proxies\.networks\[1\]: expected an address or CIDR .* got "nginx"$/,
  );
  refuses({ networks: [] }, /proxies\.networks: expected a list .* got a list of 0/);
  refuses({ networks: '10.0.0.0/8' }, /proxies\.networks: expected a list .* got "10\.0\.0\.0\/8"/);
  refuses({ hops: 0 }, /proxies\.hops: expected a whole number from 1 to 32, got 0; leave proxies out/);
  for (const hops of [-1, 1.5, 33, '1', Number.NaN, null])
    refuses({ hops }, /proxies\.hops: expected a whole number/);
  refuses(
    { header: 'x real ip' },
    /proxies\.header: expected a header name such as cf-connecting-ip, got "x real ip"/,
  );
  refuses({ header: '' }, /proxies\.header/);
  refuses({ header: 'X-Forwarded-For' }, /which is a list: use \{ hops: 1, list: 'x-forwarded-for' \}/);
  refuses({ hops: 1, list: 'via' }, /proxies\.list: expected 'x-forwarded-for' or 'forwarded', got "via"/);
  refuses({ header: 'x-real-ip', list: 'forwarded' }, /proxies\.list/);
  refuses({ hops: 1, networks: [proxy] }, /either hops or networks, got both/);
  refuses({ header: 'x-real-ip', hops: 1 }, /either header or hops, got both/);
  refuses({}, /expected hops, networks or header, got none/);
  refuses(true, /expected \{ hops \}, \{ networks \} or \{ header \}, got boolean/);
  refuses(null, /expected \{ hops \}/);
});

test('finds the visitor of a real request through a dual-stack server', async () => {
  const reader = createAddressReader({ networks: ['loopback'] });
  const server = createServer((incoming, answer) => {
    const headers = incoming.headers as Record<string, string>;
    answer.end(reader.ip(makeRequest(incoming.socket.remoteAddress, headers)) ?? 'nobody');
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { 'X-Forwarded-For': [forged, `${visitor}:4711`] };
      sendRequest({ host: '127.0.0.1', port, headers }, (response) => {
        response.setEncoding('utf8').on('data', resolve);
      })
        .on('error', reject)
        .end();
    });
    assert.equal(answer, visitor);
  } finally {
    server.close();
  }
});
