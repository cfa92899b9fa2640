import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitsOnlyAbove, shiftOnScreen } from './keep-on-screen.ts';

test('does not move what is on the screen', () => {
  assert.equal(shiftOnScreen({ left: 20, right: 220 }, 360), 0);
});

test('moves what starts off screen to the right', () => {
  assert.equal(shiftOnScreen({ left: -90, right: 110 }, 360), 98);
});

test('moves what ends off screen to the left', () => {
  assert.equal(shiftOnScreen({ left: 200, right: 400 }, 360), -48);
});

test('opens upward only where there is no room below, and enough above', () => {
  const opened = { bottom: 900, height: 300 };
  assert.equal(fitsOnlyAbove(opened, 500, 740), true);
  assert.equal(fitsOnlyAbove(opened, 500, 1000), false);
  assert.equal(fitsOnlyAbove(opened, 310, 740), false);
});
