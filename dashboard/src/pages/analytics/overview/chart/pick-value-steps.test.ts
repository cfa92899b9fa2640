import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pickMatchingSteps, pickValueSteps } from './pick-value-steps.ts';

test('counts rise in round steps, no higher than necessary', () => {
  assert.deepEqual(pickValueSteps('count', 2398), [0, 1000, 2000, 3000]);
  assert.deepEqual(pickValueSteps('count', 1900), [0, 500, 1000, 1500, 2000]);
  assert.deepEqual(pickValueSteps('count', 100), [0, 25, 50, 75, 100]);
});

test('a few visitors are shown in whole numbers', () => {
  assert.deepEqual(pickValueSteps('count', 1), [0, 1]);
  assert.deepEqual(pickValueSteps('count', 3), [0, 1, 2, 3]);
  assert.deepEqual(pickValueSteps('count', 9), [0, 3, 6, 9]);
});

test('ratios and shares may be small', () => {
  assert.deepEqual(pickValueSteps('ratio', 2.95), [0, 1, 2, 3]);
  assert.deepEqual(pickValueSteps('share', 0.38), [0, 0.1, 0.2, 0.3, 0.4]);
  assert.deepEqual(pickValueSteps('share', 1), [0, 0.25, 0.5, 0.75, 1]);
});

test('durations rise in steps of a clock', () => {
  assert.deepEqual(pickValueSteps('seconds', 161), [0, 60, 120, 180]);
  assert.deepEqual(pickValueSteps('seconds', 45), [0, 15, 30, 45]);
  assert.deepEqual(pickValueSteps('seconds', 400_000).at(-1), 518_400);
});

test('all zeros need one line', () => {
  assert.deepEqual(pickValueSteps('count', 0), [0]);
  assert.deepEqual(pickValueSteps('count', Number.NEGATIVE_INFINITY), [0]);
});

test('a second axis has as many steps as the first', () => {
  assert.deepEqual(pickMatchingSteps('share', 0.497, 4), [0, 0.15, 0.3, 0.45, 0.6]);
  assert.deepEqual(pickMatchingSteps('count', 2398, 4), [0, 600, 1200, 1800, 2400]);
  assert.deepEqual(pickMatchingSteps('count', 3, 2), [0, 2, 4]);
  assert.deepEqual(pickMatchingSteps('ratio', 2.47, 3), [0, 1, 2, 3]);
  assert.deepEqual(pickMatchingSteps('seconds', 161, 4), [0, 60, 120, 180, 240]);
});

test('a second axis beside nothing but zeros has its own steps', () => {
  assert.deepEqual(pickMatchingSteps('count', 3, 0), [0, 1, 2, 3]);
  assert.deepEqual(pickMatchingSteps('count', 0, 4), [0]);
});

test('the highest value is never above the last line', () => {
  for (let highest = 0.003; highest < 1e9; highest *= 1.37)
    for (const kind of ['count', 'ratio', 'seconds'] as const) {
      const steps = pickValueSteps(kind, highest);
      assert.ok(steps.at(-1)! >= highest * (1 - 1e-9) && steps.length <= 6, `${kind} ${highest}: ${steps}`);
      const beside = pickMatchingSteps(kind, highest, 3);
      assert.ok(
        beside.at(-1)! >= highest * (1 - 1e-9) && beside.length === 4,
        `${kind} ${highest}: ${beside}`,
      );
    }
});
