import assert from 'node:assert/strict';
import { test } from 'node:test';
import { drawSparkline } from './draw-sparkline.ts';

test('runs from edge to edge, with the highest value at the top', () => {
  const { line, area } = drawSparkline([0, 10, 5], 300, 80);
  assert.equal(line, 'M0 79C75 79 75 2 150 2C225 2 225 40.5 300 40.5');
  assert.equal(area, `${line}L300 80L0 80Z`);
});

test('is a flat line at the bottom when all values are zero', () => {
  assert.equal(drawSparkline([0, 0], 300, 80).line, 'M0 79C150 79 150 79 300 79');
});

test('contains no NaN', () => {
  for (const values of [[], [7], [0]])
    assert.doesNotMatch(drawSparkline(values, 300, 80).area, /NaN|Infinity/);
});
