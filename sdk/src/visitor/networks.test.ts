import assert from 'node:assert/strict';
import { BlockList, isIPv6 } from 'node:net';
import { test } from 'node:test';
import { isMappedIpv4, toIpGroups } from '@trackside/contract/tracking/ip-groups.ts';
import fc from 'fast-check';
import { createNetworkTest, createPublicTest } from './networks.ts';

const anyAddress = fc.oneof(fc.ipV4(), fc.ipV6());
const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Addresses of the same family that share a random number of bits with the network. Otherwise hardly any
 * would be inside.
 */
const networkAndAddress = anyAddress.chain((network) => {
  const size = isIPv6(network) ? 128 : 32;
  const keptBits = fc.integer({ min: 0, max: size });
  const noise = fc.bigInt({ min: 0n, max: (1n << BigInt(size)) - 1n });
  return fc.record({
    network: fc.constant(network),
    prefix: fc.integer({ min: 0, max: size }),
    address: fc
      .tuple(keptBits, noise)
      .map(([kept, random]) =>
        fromBits(toBits(network).slice(0, kept) + random.toString(2).padStart(size, '0').slice(kept)),
      ),
  });
});

function toBits(address: string): string {
  const all = toIpGroups(address)!
    .map((group) => group.toString(2).padStart(16, '0'))
    .join('');
  return isIPv6(address) ? all : all.slice(96);
}

function fromBits(bits: string): string {
  const width = bits.length === 32 ? 8 : 16;
  const groups = Array.from({ length: bits.length / width }, (_, index) =>
    Number.parseInt(bits.slice(index * width, (index + 1) * width), 2),
  );
  return width === 8 ? groups.join('.') : groups.map((group) => group.toString(16)).join(':');
}

test('agrees with node:net on what is inside a network', () => {
  let insideCount = 0;
  fc.assert(
    fc.property(networkAndAddress, ({ network, prefix, address }) => {
      // Here node:net differs on purpose. The test below says what we do.
      fc.pre(prefix >= 96 || !isIPv6(address) || !isMappedIpv4(toIpGroups(address)!));
      const list = new BlockList();
      list.addSubnet(network, prefix, familyOf(network));
      const isInside = createNetworkTest([`${network}/${prefix}`], 'networks')(address);
      assert.equal(isInside, list.check(address, familyOf(address)));
      insideCount += isInside ? 1 : 0;
    }),
    { numRuns: 2000 },
  );
  assert.ok(insideCount > 100, `only ${insideCount} were inside: the test shows little`);
});

test('reads an address in every spelling as node:net does', () => {
  fc.assert(
    fc.property(anyAddress, anyAddress, (first, second) => {
      const list = new BlockList();
      list.addAddress(first, familyOf(first));
      const isSame = createNetworkTest([first], 'networks');
      assert.equal(isSame(first), true);
      assert.equal(isSame(first.toUpperCase()), true);
      assert.equal(isSame(second), list.check(second, familyOf(second)));
    }),
    { numRuns: 500 },
  );
});

test('matches an IPv4 peer written as IPv6 with IPv4 networks, in both spellings', () => {
  const isProxy = createNetworkTest(['10.0.0.0/8'], 'networks');
  assert.equal(isProxy('::ffff:10.0.0.1'), true);
  assert.equal(isProxy('::ffff:0a00:1'), true);
  assert.equal(isProxy('::FFFF:11.0.0.1'), false);
  assert.equal(isProxy('::10.0.0.1'), false);
});

test('does not count an IPv4 address as part of a wide IPv6 network', () => {
  assert.equal(createNetworkTest(['::/0'], 'networks')('203.0.113.7'), false);
  assert.equal(createNetworkTest(['::/0'], 'networks')('2001:db8::1'), true);
  assert.equal(createNetworkTest(['0.0.0.0/0'], 'networks')('2001:db8::1'), false);
  assert.equal(createNetworkTest(['0.0.0.0/0'], 'networks')('203.0.113.7'), true);
  assert.equal(createNetworkTest(['::ffff:10.0.0.0/104'], 'networks')('10.9.9.9'), true);
});

test('knows loopback and private networks by name', () => {
  const isLoopback = createNetworkTest(['loopback'], 'networks');
  const isPrivate = createNetworkTest(['private'], 'networks');
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
    assert.equal(isLoopback(address), true, address);
    assert.equal(isPrivate(address), false, address);
  }
  for (const address of [
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.1.1',
    'fd00::1',
    'fe80::1',
  ]) {
    assert.equal(isPrivate(address), true, address);
  }
  for (const address of ['172.32.0.1', '11.0.0.1', '192.169.0.1', '2001:db8::1', '100.64.0.1', 'fec0::1']) {
    assert.equal(isPrivate(address), false, address);
  }
});

test('calls an address public only if a visitor can have it', () => {
  const isPublic = createPublicTest();
  for (const address of ['203.0.113.7', '2001:db8::1', '::ffff:203.0.113.7'])
    assert.equal(isPublic(address), true);
  for (const address of [
    '127.0.0.1',
    '10.0.0.1',
    '100.64.0.1',
    '0.0.0.0',
    '::',
    '::1',
    'fe80::1',
    'nonsense',
    '',
  ]) {
    assert.equal(isPublic(address), false, address);
  }
});

test('refuses what is not a network, and says which one', () => {
  const wrong = [
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0/8',
    '::1/129',
    '10.0.0.0/8/8',
    '10.0.0.0/-1',
    '10.0.0.0/8 ',
    'Private',
    '',
  ];
  for (const entry of [...wrong, '010.0.0.1', 'fe80::1%eth0', '[::1]', 'proxy.example']) {
    assert.throws(
      () => createNetworkTest(['loopback', entry], 'proxies.networks'),
      {
        message:
          'proxies.networks[1]: expected an address or CIDR such as 10.0.0.0/8, ' +
          `or "loopback" or "private", got "${entry}"`,
      },
      entry,
    );
  }
  assert.throws(
    () => createNetworkTest([10 as unknown as string], 'proxies.networks'),
    /networks\[0\].*got number/,
  );
});
