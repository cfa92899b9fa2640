import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexAt, layOut, xOf, yOf } from './lay-out.ts';

const { plot } = layOut(1076, 268);

test('the first interval is at the left edge, the last at the right one', () => {
  assert.equal(xOf(plot, 30, 0), plot.left);
  assert.equal(xOf(plot, 30, 29), plot.left + plot.width);
  assert.equal(xOf(plot, 1, 0), plot.left + plot.width / 2, 'one alone is in the middle');
});

test('the highest value is at the top, nothing at the bottom', () => {
  assert.equal(yOf(plot, 2000, 2000), plot.top);
  assert.equal(yOf(plot, 2000, 0), plot.top + plot.height);
});

test('finds the interval that is nearest, also beside the plot', () => {
  for (let index = 0; index < 30; index += 1)
    assert.equal(indexAt(plot, 30, xOf(plot, 30, index) + 5), index);
  assert.equal(indexAt(plot, 30, -50), 0);
  assert.equal(indexAt(plot, 30, 5000), 29);
  assert.equal(indexAt(plot, 1, 600), 0);
});
