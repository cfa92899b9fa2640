import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChoice } from './create-choice.ts';
import { createRandom, type Random } from './create-random.ts';

const draw = (random: Random, count: number) => Array.from({ length: count }, () => random.next());

test('returns the same numbers for the same seed, and others for another', () => {
  assert.deepEqual(draw(createRandom(1, 'day'), 20), draw(createRandom(1, 'day'), 20));
  assert.notDeepEqual(draw(createRandom(1, 'day'), 20), draw(createRandom(2, 'day'), 20));
  assert.notDeepEqual(draw(createRandom(1, 'day'), 20), draw(createRandom(1, 'night'), 20));
});

test('spreads numbers evenly from 0 to 1', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const number of draw(createRandom(7), 100_000)) tenths[Math.floor(number * 10)]! += 1;
  for (const count of tenths) assert.ok(count > 9_700 && count < 10_300, String(tenths));
});

test('draws whole numbers, including both ends', () => {
  const random = createRandom(7);
  const drawn = new Set(Array.from({ length: 1000 }, () => random.between(3, 6)));
  assert.deepEqual([...drawn].sort(), [3, 4, 5, 6]);
});

test('spreads durations around their median', () => {
  const random = createRandom(7);
  const drawn = Array.from({ length: 10_001 }, () => random.spread(30, 1)).sort((a, b) => a - b);
  assert.ok(Math.abs(drawn[5000]! - 30) < 1.5, String(drawn[5000]));
  assert.ok(drawn[0]! > 0 && drawn[9900]! > 200);
});

test('chooses each value as often as its weight says', () => {
  const random = createRandom(7);
  const choose = createChoice([
    [1, 'seldom'],
    [0, 'never'],
    [9, 'often'],
  ]);
  const counts = { seldom: 0, never: 0, often: 0 };
  for (let count = 0; count < 10_000; count += 1) counts[choose(random) as keyof typeof counts] += 1;
  assert.ok(counts.seldom > 900 && counts.seldom < 1100, JSON.stringify(counts));
  assert.equal(counts.never, 0);
});

test('refuses to choose from nothing', () => {
  assert.throws(() => createChoice([]), /above 0/);
});
