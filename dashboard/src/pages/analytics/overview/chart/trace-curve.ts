export type Point = { x: number; y: number };

/** The part of a canvas path that a curve needs. */
type CurvePath = Pick<Path2D, 'moveTo' | 'bezierCurveTo'>;

/**
 * Traces a smooth curve through points from left to right. Between two points it never goes higher or lower
 * than both, so that it shows no value that was not counted (monotone cubic interpolation by Fritsch and
 * Carlson).
 */
export function traceCurve(path: CurvePath, points: readonly Point[]): void {
  const [first] = points;
  if (first === undefined) return;
  path.moveTo(first.x, first.y);
  const tangents = tangentsOf(points);
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (from === undefined) continue;
    const third = (to.x - from.x) / 3;
    const leaving = from.y + tangents[index - 1]! * third;
    const arriving = to.y - tangents[index]! * third;
    path.bezierCurveTo(from.x + third, leaving, to.x - third, arriving, to.x, to.y);
  }
}

/** The slope of the curve at each point. It is 0 at a point that is higher or lower than both neighbors. */
function tangentsOf(points: readonly Point[]): number[] {
  const widths = points.slice(1).map(({ x }, index) => x - points[index]!.x);
  const slopes = points.slice(1).map(({ y }, index) => (y - points[index]!.y) / widths[index]!);
  return points.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    if (before * after <= 0) return 0;
    const [left, right] = [widths[index - 1]!, widths[index]!];
    return (3 * (left + right)) / ((2 * right + left) / before + (right + 2 * left) / after);
  });
}
