import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { test } from 'node:test';
import { isIpAddress } from '@trackside/contract/tracking/ip-address.ts';
import fc from 'fast-check';
import { readAddress, readAddressWithPort } from './read-address.ts';

const readable: [written: string, read: string][] = [
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['"203.0.113.7:4711"', '203.0.113.7'],
  ['"203.0.113.7"', '203.0.113.7'],
  ['203.0.113.7:_port', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:DB8:0:0::0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%25eth0]:443', 'fe80::1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['[::ffff:10.0.0.1]:80', '10.0.0.1'],
  ['::ffff:cb00:7107', '203.0.113.7'],
];

test('reads an address as proxies write it', () => {
  for (const [written, read] of readable) assert.equal(readAddress(written), read, written);
});

test('reads nothing from a text without an address', () => {
  const texts = [
    '',
    ' ',
    'unknown',
    '_hidden',
    '"',
    '""',
    '[',
    '[]',
    '[::1',
    '[::1]x',
    '[203.0.113',
    '1.2.3',
    '1.2.3.4.5',
    '-',
  ];
  for (const text of [
    ...texts,
    '203.0.113.7%eth0',
    '999.1.1.1',
    '203.0.113.7 10.0.0.1',
    'for=203.0.113.7',
    '::1::',
  ]) {
    assert.equal(readAddress(text), undefined, text);
  }
  assert.equal(readAddress(undefined), undefined);
  assert.equal(readAddress(`${' '.repeat(100_000)}203.0.113.7`), undefined);
});

test('removes the port from CloudFront’s IPv6 addresses, which have no brackets', () => {
  assert.equal(readAddressWithPort('2001:db8::1:443'), '2001:db8::1');
  assert.equal(readAddressWithPort('2001:db8:1:2:3:4:5:6:46532'), '2001:db8:1:2:3:4:5:6');
  assert.equal(readAddressWithPort('203.0.113.7:46532'), '203.0.113.7');
  assert.equal(readAddressWithPort('[2001:db8::1]:443'), '2001:db8::1');
  assert.equal(readAddressWithPort('203.0.113.7'), '203.0.113.7');
  assert.equal(readAddressWithPort(undefined), undefined);
});

test('returns only addresses that the interface accepts, and the same for all spellings', () => {
  const signs = fc.string({ unit: fc.constantFrom(...'0123456789abcdefF:.[]"% ,'), maxLength: 48 });
  fc.assert(
    fc.property(fc.oneof(signs, fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
      const address = readAddress(text);
      if (address === undefined) return assert.equal(isIP(text), 0);
      assert.ok(isIpAddress(address), address);
      assert.equal(readAddress(address), address);
    }),
    { numRuns: 2000 },
  );
});
