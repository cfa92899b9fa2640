import assert from 'node:assert/strict';
import { isIPv6 } from 'node:net';
import { test } from 'node:test';
import { canonicalAddress } from '@trackside/contract/tracking/ip-groups.ts';
import fc from 'fast-check';
import { pageView } from '../../../test/support/records.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import type { PageViewBody } from '../steps/validate.ts';
import { secretOf, website } from '../test-intake.ts';
import { mostOfPart } from './device-parts.ts';
import { createIdentify, visitorOfClient } from './identify.ts';

type Who = {
  ip?: string;
  userAgent?: string;
  clientId?: string | null;
  at?: string;
  waitedMs?: number;
  of?: CachedWebsite;
};

const noon = '2026-03-10T12:00:00Z';

/** A salt for every day of March, all different. */
const byDate = {
  get: (date: string) => (date.startsWith('2026-03-') ? secretOf(Number(date.slice(8))) : undefined),
};
let askedForMissing = 0;

const identify = createIdentify({
  byDate,
  askForMissing() {
    askedForMissing += 1;
  },
});

function identified({ ip, userAgent, clientId, at, waitedMs = 0, of }: Who = {}) {
  const body = pageView({
    Browser: { IP: ip ?? '203.0.113.7', UserAgent: userAgent ?? 'Firefox' },
    Identify: clientId === undefined ? {} : { ClientId: clientId },
  }) as PageViewBody;
  const entry = of ?? website();
  return identify({
    website: entry,
    valid: { kind: 'page_view', body },
    receivedAtMs: Date.parse(at ?? noon),
    waitedMs,
    place: { websiteId: entry.id, month: '2026-03', reserved: 1, settled: 0, elsewhere: 0, refused: 0 },
  });
}

function visitorOf(who: Who = {}) {
  const result = identified(who);
  assert.ok(!('refused' in result), 'expected a visitor');
  return result.visitor;
}

test('recognizes a visitor by address and user agent for one local day', () => {
  const berlin = website({ timezone: 'Europe/Berlin' });
  const first = visitorOf({ of: berlin, at: '2026-03-09T23:00:00Z' });
  assert.deepEqual(visitorOf({ of: berlin, at: '2026-03-10T22:59:59Z' }), first);
  assert.notEqual(visitorOf({ of: berlin, at: '2026-03-10T23:00:00Z' }).id, first.id);
  assert.notEqual(visitorOf({ of: berlin, at: '2026-03-09T22:59:59Z' }).id, first.id);
});

test('returns the local day and time that the salt belongs to', () => {
  const result = identified({ of: website({ timezone: 'Pacific/Auckland' }) });
  assert.ok(!('refused' in result));
  assert.deepEqual(result.local, { day: '2026-03-11', at: '2026-03-11 01:00:00' });
});

test('another address, user agent or website is another visitor', () => {
  const ids = [
    visitorOf().id,
    visitorOf({ ip: '203.0.113.8' }).id,
    visitorOf({ userAgent: '' }).id,
    visitorOf({ of: website({ id: 2 }) }).id,
  ];
  assert.equal(new Set(ids).size, ids.length);
});

test('an IPv4 address written as IPv6 is the IPv4 address', () => {
  for (const ip of ['::ffff:203.0.113.7', '::FFFF:cb00:7107', '0:0:0:0:0:ffff:203.0.113.7'])
    assert.deepEqual(visitorOf({ ip }), visitorOf(), ip);
  assert.notDeepEqual(visitorOf({ ip: '::203.0.113.7' }), visitorOf());
  assert.equal(canonicalAddress('::ffff:0.0.0.0'), '0.0.0.0');
  assert.equal(canonicalAddress('::ffff:255.255.255.255'), '255.255.255.255');
});

test('every spelling of an IPv6 address is the same visitor, and no other address is', () => {
  const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
  const groups = fc.array(group, { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(
      groups,
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.nat(7),
      (parts, flags, at) => {
        const plain = parts.map((part) => part.toString(16)).join(':');
        const spelt = parts.map((part, index) => {
          const padded = flags[index] ? part.toString(16).padStart(4, '0') : part.toString(16);
          return flags[7 - index] ? padded.toUpperCase() : padded;
        });
        const dotted = [parts[6]! >> 8, parts[6]! & 255, parts[7]! >> 8, parts[7]! & 255].join('.');
        const zeros =
          parts[at] === 0 ? `${spelt.slice(0, at).join(':')}::${spelt.slice(at + 1).join(':')}` : plain;
        for (const spelling of [spelt.join(':'), `${spelt.slice(0, 6).join(':')}:${dotted}`, zeros]) {
          assert.ok(isIPv6(spelling), spelling);
          assert.equal(canonicalAddress(spelling), canonicalAddress(plain), spelling);
        }
        const other = parts.with(at, parts[at]! ^ 1).map((part) => part.toString(16));
        assert.notEqual(canonicalAddress(other.join(':')), canonicalAddress(plain));
      },
    ),
  );
});

test('knows a ClientId across days, addresses and user agents', () => {
  const first = visitorOf({ clientId: 'account-7' });
  assert.equal(first.hasClientId, true);
  const later = visitorOf({ clientId: 'account-7', at: '2026-03-25T00:00:00Z', ip: '::1', userAgent: 'x' });
  assert.deepEqual([later.id, later.hasClientId], [first.id, true]);
  assert.notEqual(visitorOf({ clientId: 'account-8' }).id, first.id);
});

test('a visitor with a ClientId has the device that the same visitor without one would be', () => {
  const { id, deviceId } = visitorOf();
  assert.equal(deviceId, id);
  assert.equal(visitorOf({ clientId: 'account-7' }).deviceId, id);
  assert.notEqual(visitorOf({ clientId: 'account-7', ip: '203.0.113.8' }).deviceId, id);
  assert.notEqual(visitorOf({ clientId: 'account-7', at: '2026-03-25T00:00:00Z' }).deviceId, id);
});

test('a ClientId is another visitor on another website, even under the same key', () => {
  const ids = [
    visitorOf({ clientId: 'a' }).id,
    visitorOf({ clientId: 'a', of: website({ id: 2 }) }).id,
    visitorOf({ clientId: 'a', of: website({ clientIdKey: secretOf(2) }) }).id,
  ];
  assert.equal(new Set(ids).size, ids.length);
});

test('the visitor of a ClientId is the one that its records get', () => {
  for (const clientId of ['4711', ' spaces ', '漢字 😀', '__proto__', '\0', 'x'.repeat(512)]) {
    for (const site of [website(), website({ id: 2 }), website({ clientIdKey: secretOf(9) })])
      assert.equal(visitorOfClient(site, clientId), visitorOf({ clientId, of: site }).id);
  }
});

test('a later version gives a ClientId the same visitor', () => {
  assert.equal(visitorOfClient({ id: 1, clientIdKey: secretOf(1) }, 'account-7'), '5704973687390464221');
});

test('an empty ClientId, null and none at all are the same: none', () => {
  assert.equal(visitorOf().hasClientId, false);
  assert.deepEqual(visitorOf({ clientId: '' }), visitorOf());
  assert.deepEqual(visitorOf({ clientId: null }), visitorOf());
});

test('without a salt, asks for it and takes only records that carry a ClientId', () => {
  const at = '2026-04-01T00:00:00Z';
  assert.equal(askedForMissing, 0);
  const refused = identified({ at });
  assert.equal(askedForMissing, 1);
  assert.ok('refused' in refused);
  assert.equal(refused.refused, 'no-salt');
  const { id } = visitorOf({ clientId: 'a' });
  assert.deepEqual(visitorOf({ at, clientId: 'a' }), { id, hasClientId: true, deviceId: id });
});

test('a visitor is a number of 64 bits in decimal, of which every bit is used', () => {
  let seen = 0n;
  let unseen = 2n ** 64n - 1n;
  for (let count = 0; count < 200; count += 1) {
    const { id } = visitorOf({ ip: `10.0.0.${count}` });
    assert.match(id, /^(0|[1-9]\d{0,19})$/);
    const value = BigInt(id);
    assert.ok(value < 2n ** 64n);
    seen |= value;
    unseen &= value;
  }
  assert.equal(seen, 2n ** 64n - 1n);
  assert.equal(unseen, 0n);
});

test('what one device sends beyond what a person does is another device', () => {
  const crowded = { ip: '203.0.113.99' };
  const first = visitorOf(crowded);
  for (let count = 1; count < mostOfPart; count += 1) assert.deepEqual(visitorOf(crowded), first);
  const next = visitorOf(crowded);
  assert.notEqual(next.id, first.id);
  assert.equal(next.deviceId, next.id);
  assert.deepEqual(visitorOf(crowded), next);
  const known = visitorOf({ ...crowded, clientId: 'ada' });
  assert.deepEqual(known, { id: visitorOf({ clientId: 'ada' }).id, hasClientId: true, deviceId: next.id });
});

test('gives a record that waited the day, the time and the visitor of when it happened', () => {
  const berlin = website({ timezone: 'Europe/Berlin' });
  const inTime = identified({ of: berlin, at: '2026-03-09T22:59:00Z' });
  const late = identified({ of: berlin, at: '2026-03-10T08:00:00Z', waitedMs: 9 * 3_600_000 + 60_000 });
  assert.ok(!('refused' in inTime) && !('refused' in late));
  assert.deepEqual(late.local, { day: '2026-03-09', at: '2026-03-09 23:59:00' });
  assert.deepEqual([late.local, late.visitor], [inTime.local, inTime.visitor]);
  assert.equal(visitorOf({ of: berlin, at: '2026-03-10T08:00:00Z' }).id, visitorOf({ of: berlin }).id);
});

test('refuses a time on a day whose salt is gone, unless there is a ClientId', () => {
  // February has no salts here. A day has ended everywhere twelve hours after its end in UTC.
  const dayMs = 86_400_000;
  const gone = { at: '2026-03-01T12:00:00Z', waitedMs: dayMs };
  const refusal = identified(gone);
  assert.ok('refused' in refusal);
  assert.equal(refusal.refused, 'malformed');
  assert.match(refusal.message, /^OccurredAt: expected a time on a day whose salt is still kept, got one on/);
  assert.ok(visitorOf({ ...gone, clientId: 'ada' }).hasClientId);
  const maybeLater = identified({ at: '2026-03-01T11:59:59Z', waitedMs: dayMs });
  assert.ok('refused' in maybeLater);
  assert.equal(maybeLater.refused, 'no-salt', 'while it is that day somewhere, it can still be created');
});
