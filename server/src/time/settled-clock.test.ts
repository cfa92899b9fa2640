import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../control/test-control.ts';
import { createSettledClock } from './settled-clock.ts';

const start = '2026-03-10T09:00:00Z';

test('returns the time once the clock has run correctly for long enough', () => {
  const clock = createFakeClock(start);
  const settledNow = createSettledClock(clock, 600_000);
  assert.equal(settledNow(), undefined);
  clock.pass(599_999);
  assert.equal(settledNow(), undefined);
  clock.pass(1);
  assert.equal(settledNow(), clock.now());
});

test('starts over after the clock was set, in either direction', () => {
  for (const jumpMs of [365 * 86_400_000, -86_400_000]) {
    const clock = createFakeClock(start);
    const settledNow = createSettledClock(clock, 600_000);
    clock.pass(700_000);
    assert.ok(settledNow() !== undefined);
    clock.jump(jumpMs);
    assert.equal(settledNow(), undefined);
    clock.pass(600_000);
    assert.equal(settledNow(), clock.now());
  }
});

test('ignores small corrections', () => {
  const clock = createFakeClock(start);
  const settledNow = createSettledClock(clock, 600_000);
  clock.pass(300_000);
  clock.jump(5000);
  clock.pass(300_000);
  assert.equal(settledNow(), clock.now());
});

test('is the plain clock if it has no time to settle', () => {
  const clock = createFakeClock(start);
  const settledNow = createSettledClock(clock, 0);
  assert.equal(settledNow(), clock.now());
  clock.jump(365 * 86_400_000);
  assert.equal(settledNow(), clock.now());
});
