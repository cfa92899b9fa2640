import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stepOf, steps } from './step-of.ts';

test('the country with the most visitors has the strongest shade, and one without visitors has none', () => {
  assert.equal(stepOf(22_940, 22_940), steps);
  assert.equal(stepOf(0, 22_940), 0);
  assert.equal(stepOf(0, 0), 0);
});

test('a single visitor is visible beside millions', () => {
  assert.equal(stepOf(1, 5_000_000), 1);
});

test('more visitors never have a weaker shade', () => {
  const shades = Array.from({ length: 200 }, (_, value) => stepOf(value, 199));
  assert.deepEqual(
    shades,
    shades.toSorted((a, b) => a - b),
  );
  assert.deepEqual([...new Set(shades)], [0, 1, 2, 3, 4, 5, 6]);
});
