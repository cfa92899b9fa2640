import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toNetwork } from './to-network.ts';

test('keeps an IPv4 address, even when it is written as an IPv6 address', () => {
  for (const address of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::FFFF:cb00:7107',
    '0:0:0:0:0:ffff:cb00:7107',
  ]) {
    assert.equal(toNetwork(address), '203.0.113.7', address);
  }
});

test('treats all IPv6 addresses of one network as one', () => {
  for (const address of [
    '2001:db8:1:2::',
    '2001:0db8:0001:0002::1',
    '2001:DB8:1:2:aaaa:bbbb:cccc:dddd',
    '2001:db8:1:2:0:0:192.0.2.1',
    '2001:db8:1:2::1%eth0',
  ]) {
    assert.equal(toNetwork(address), '2001:db8:1:2::/64', address);
  }
  const others = {
    '2001:db8:1:3::1': '2001:db8:1:3::/64',
    '2001:db8:1::1': '2001:db8:1:0::/64',
    '::1': '0:0:0:0::/64',
    'fe80::1': 'fe80:0:0:0::/64',
    '1::': '1:0:0:0::/64',
    '2001:db8:1:2:3::': '2001:db8:1:2::/64',
    '::2:0:0:0:0': '0:0:0:2::/64',
  };
  for (const [address, network] of Object.entries(others)) assert.equal(toNetwork(address), network);
});

test('returns anything else unchanged', () => {
  assert.equal(toNetwork(' Unknown '), 'unknown');
  assert.equal(toNetwork(''), '');
});
