import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createRateLimit } from './rate-limit.ts';

function start(perMinute: number, maxKeys = 100) {
  const clock = { nowMs: 1000 };
  const limit = createRateLimit({ perMinute, maxKeys, nowMs: () => clock.nowMs });
  return { clock, take: (address: string, userAgent = 'a browser') => limit.take(address, userAgent) };
}

describe('rate limit', () => {
  test('lets a minute’s worth pass at once, then one for each that is refilled', () => {
    const { clock, take } = start(60);
    for (let n = 0; n < 60; n += 1) assert.equal(take('192.0.2.1'), 0);
    assert.ok(Math.abs(take('192.0.2.1') - 1000) < 1e-6);
    clock.nowMs += 1001;
    assert.equal(take('192.0.2.1'), 0);
    assert.ok(take('192.0.2.1') > 0);
  });

  test('does not save up more than a minute’s worth', () => {
    const { clock, take } = start(2);
    clock.nowMs += 3_600_000;
    assert.deepEqual([take('192.0.2.1'), take('192.0.2.1')], [0, 0]);
    assert.ok(take('192.0.2.1') > 0);
  });

  test('counts every address separately, and an IPv6 network of 64 bits as one', () => {
    const { take } = start(1);
    assert.equal(take('192.0.2.1'), 0);
    assert.equal(take('192.0.2.2'), 0);
    assert.equal(take('2001:db8:1:2::1'), 0);
    assert.ok(take('2001:db8:1:2:ffff::9') > 0);
    assert.equal(take('2001:db8:1:3::1'), 0);
  });

  test('counts visitors behind one address by their user agents, up to ten times as many', () => {
    const { take } = start(2);
    const passed = Array.from({ length: 40 }, (_, n) => take('192.0.2.1', `browser ${n}`) === 0);
    assert.deepEqual(
      [passed.slice(0, 20), passed.slice(20)].map((half) => half.every(Boolean)),
      [true, false],
    );
    assert.equal(passed.filter(Boolean).length, 20);
    assert.equal(take('192.0.2.2', 'browser 1'), 0);
  });

  test('forgets the visitor who was away longest when there are too many', () => {
    const { take } = start(1, 2);
    take('192.0.2.1');
    take('192.0.2.2');
    assert.ok(take('192.0.2.1') > 0);
    take('192.0.2.3');
    assert.ok(take('192.0.2.1') > 0, 'was seen again in between');
    assert.equal(take('192.0.2.2'), 0, 'was forgotten');
  });

  test('allows less than one a minute', () => {
    const { clock, take } = start(0.5);
    assert.equal(take('192.0.2.1'), 0);
    clock.nowMs += 60_000;
    assert.ok(take('192.0.2.1') > 0);
    clock.nowMs += 60_001;
    assert.equal(take('192.0.2.1'), 0);
  });

  for (const perMinute of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`refuses ${perMinute} a minute`, () => {
      assert.throws(() => start(perMinute), /rateLimit\.perMinute: expected a number above 0/);
    });
  }
});
