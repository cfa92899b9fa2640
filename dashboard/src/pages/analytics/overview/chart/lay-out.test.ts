import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areBars, indexAt, layOut, xOf, yOf } from './lay-out.ts';

const usual = { hasBands: false, letters: 3, secondLetters: undefined };
const { plot } = layOut(1076, 268, usual);

test('puts the first interval at the left edge, and the last at the right', () => {
  assert.equal(xOf(plot, 30, 0), plot.left);
  assert.equal(xOf(plot, 30, 29), plot.left + plot.width);
  assert.equal(xOf(plot, 1, 0), plot.left + plot.width / 2, 'one alone is in the middle');
});

test('puts the highest value at the top, and zero at the bottom', () => {
  assert.equal(yOf(plot, 2000, 2000), plot.top);
  assert.equal(yOf(plot, 2000, 0), plot.top + plot.height);
});

test('finds the nearest interval, even beside the plot', () => {
  for (let index = 0; index < 30; index += 1)
    assert.equal(indexAt(plot, 30, xOf(plot, 30, index) + 5), index);
  assert.equal(indexAt(plot, 30, -50), 0);
  assert.equal(indexAt(plot, 30, 5000), 29);
  assert.equal(indexAt(plot, 1, 600), 0);
});

test('gives each bar its own band, with room at both edges', () => {
  const { plot: banded } = layOut(1076, 268, { ...usual, hasBands: true });
  assert.equal(xOf(banded, 4, 0), banded.left + banded.width / 8);
  for (let index = 0; index < 4; index += 1)
    for (const beside of [-40, 40]) assert.equal(indexAt(banded, 4, xOf(banded, 4, index) + beside), index);
  assert.equal(indexAt(banded, 4, 5000), 3);
});

test('draws few intervals as bars, and the months of two years too', () => {
  assert.deepEqual(
    [areBars('day', 6), areBars('day', 7), areBars('month', 12), areBars('month', 25)],
    [true, false, true, false],
  );
});

test('gives a second metric an axis at the right', () => {
  const { plot: narrower } = layOut(1076, 268, { ...usual, secondLetters: 3 });
  assert.ok(narrower.width < plot.width);
  const { plot: long } = layOut(360, 206, { ...usual, letters: 7 });
  assert.ok(long.left > layOut(360, 206, usual).plot.left, 'long labels get the room that they need');
});
