import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Point, traceCurve } from './trace-curve.ts';

type Move = [kind: 'move', ...at: number[]] | [kind: 'curve', ...to: number[]];

function trace(ys: readonly number[]): Move[] {
  const moves: Move[] = [];
  traceCurve(
    {
      moveTo: (...at) => void moves.push(['move', ...at]),
      bezierCurveTo: (...to) => void moves.push(['curve', ...to]),
    },
    ys.map((y, index): Point => ({ x: index * 10, y })),
  );
  return moves;
}

test('the curve passes through every point', () => {
  assert.deepEqual(trace([]), []);
  assert.deepEqual(trace([5]), [['move', 0, 5]]);
  const ends = trace([5, 1, 9]).map((move) => move.slice(-2));
  assert.deepEqual(ends, [
    [0, 5],
    [10, 1],
    [20, 9],
  ]);
});

test('points on a straight line stay on it', () => {
  for (const [, , y1, , y2] of trace([0, 3, 6]).slice(1) as number[][]) assert.ok(y2! - y1! === 1);
});

test('between two points, the curve stays within their values', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 20 }), (ys) => {
      const moves = trace(ys);
      for (const [index, from] of ys.slice(0, -1).entries()) {
        const to = ys[index + 1]!;
        const [, , y1, , y2] = moves[index + 1] as number[];
        for (let t = 0; t <= 1; t += 0.05) {
          const s = 1 - t;
          const y = s ** 3 * from + 3 * s ** 2 * t * y1! + 3 * s * t ** 2 * y2! + t ** 3 * to;
          assert.ok(y >= Math.min(from, to) - 1e-6 && y <= Math.max(from, to) + 1e-6);
        }
      }
    }),
  );
});
