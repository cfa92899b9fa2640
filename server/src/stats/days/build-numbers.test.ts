import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { buildNumberAt, createBuildNumbers } from './build-numbers.ts';

test('processes that begin in the same millisecond take different numbers', () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const fences = [0, 1, 2, 16_382, 16_383, 100_003];
  const taken = fences.map((fence) => createBuildNumbers(clock, () => fence)([]));
  const sorted = taken.toSorted((a, b) => (a < b ? -1 : 1));
  for (const [at, number] of sorted.entries())
    if (at > 0) assert.ok(number - sorted[at - 1]! >= 64n, 'each has a number for every day of a build');
  assert.ok(sorted[0]! >= buildNumberAt(clock.now()));
  assert.ok(sorted.at(-1)! + 64n <= buildNumberAt(clock.now() + 1));
  assert.ok(sorted.at(-1)! < 2n ** 63n);
});

test('a number is above those that are replaced, even if a clock goes back', () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const take = createBuildNumbers(clock, () => 7);
  const first = take([]);
  clock.jump(-60_000);
  const second = take([]);
  assert.ok(second > first + 64n);
  const built = { build: String(second + 5n) } as never;
  const other = createBuildNumbers(clock, () => 3)([{ built }]);
  assert.ok(other > second + 64n);
});
