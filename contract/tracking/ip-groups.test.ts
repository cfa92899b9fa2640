import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalAddress, isMappedIpv4, toIpGroups, toIpv4Text } from './ip-groups.ts';

test('reads the eight groups of an address, whatever was left out', () => {
  assert.deepEqual(toIpGroups('2001:db8::1'), [0x2001, 0xdb8, 0, 0, 0, 0, 0, 1]);
  assert.deepEqual(toIpGroups('::'), [0, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(toIpGroups('1:2:3:4:5:6:192.0.2.1'), [1, 2, 3, 4, 5, 6, 0xc000, 0x201]);
  for (const text of ['', '1', '010.0.0.1', '::1%eth0', '[::1]', '1::2::3'])
    assert.equal(toIpGroups(text), undefined, text);
});

test('recognizes an IPv4 address in every spelling', () => {
  for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '0:0:0:0:0:FFFF:cb00:7107']) {
    const groups = toIpGroups(address)!;
    assert.ok(isMappedIpv4(groups), address);
    assert.equal(toIpv4Text(groups), '203.0.113.7');
    assert.equal(canonicalAddress(address), '203.0.113.7');
  }
  assert.ok(!isMappedIpv4(toIpGroups('::203.0.113.7')!));
});

test('one address has one spelling, and its groups stay the same', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const canonical = canonicalAddress(address);
      assert.deepEqual(toIpGroups(canonical), toIpGroups(address));
      assert.equal(canonicalAddress(address.toUpperCase()), canonical);
    }),
  );
});
