/** The height of the land at a place. Both coordinates run from 0 to 1. */
export type Terrain = (x: number, y: number) => number;

type Point = readonly [x: number, y: number];
type Sheet = { width: number; height: number; step: number };

/**
 * Draws the lines of each height, as the data of one SVG path each. The lines are closed, so that higher land
 * can be filled.
 */
export function drawContours(terrain: Terrain, levels: readonly number[], sheet: Sheet): string[] {
  const heightAt = measureHeights(terrain, sheet);
  return levels.map((level) => drawLevel(heightAt, level, sheet));
}

type HeightAt = (column: number, row: number) => number;

const columnsOf = ({ width, step }: Sheet): number => Math.ceil(width / step);
const rowsOf = ({ height, step }: Sheet): number => Math.ceil(height / step);

/**
 * Measures the heights on a grid. The land ends one step beyond the sheet, where nobody sees it, so that
 * every line closes.
 */
function measureHeights(terrain: Terrain, sheet: Sheet): HeightAt {
  const [columns, rows] = [columnsOf(sheet), rowsOf(sheet)];
  const heights = Array.from({ length: rows + 3 }, (_, row) =>
    Array.from({ length: columns + 3 }, (_, column) => terrain((column - 1) / columns, (row - 1) / rows)),
  );
  return (column, row) => heights[row + 1]?.[column + 1] ?? -1;
}

/** Follows one height from square to square of a grid, as in "marching squares". */
function drawLevel(heightAt: HeightAt, level: number, sheet: Sheet): string {
  const [columns, rows] = [columnsOf(sheet), rowsOf(sheet)];
  const crossings = new Map<string, Point>();
  const neighbours = new Map<string, string[]>();
  const cross = (from: Point, to: Point): string | undefined => {
    const [a, b] = [heightAt(...from), heightAt(...to)];
    if (a < level === b < level) return undefined;
    const key = `${from[0]} ${from[1]} ${to[0]} ${to[1]}`;
    const share = (level - a) / (b - a);
    const along = (axis: 0 | 1) => (from[axis] + share * (to[axis] - from[axis])) * sheet.step;
    crossings.set(key, [Math.round(along(0)), Math.round(along(1))]);
    return key;
  };
  const join = (one: string, other: string): void => {
    neighbours.set(one, [...(neighbours.get(one) ?? []), other]);
    neighbours.set(other, [...(neighbours.get(other) ?? []), one]);
  };

  for (let row = -2; row <= rows + 1; row += 1) {
    for (let column = -2; column <= columns + 1; column += 1) {
      const topLeft: Point = [column, row];
      const topRight: Point = [column + 1, row];
      const bottomLeft: Point = [column, row + 1];
      const bottomRight: Point = [column + 1, row + 1];
      const sides = [
        cross(topLeft, topRight),
        cross(topRight, bottomRight),
        cross(bottomLeft, bottomRight),
        cross(topLeft, bottomLeft),
      ].filter((side) => side !== undefined);
      for (let side = 0; side + 1 < sides.length; side += 2) join(sides[side]!, sides[side + 1]!);
    }
  }
  return [...followLines(neighbours)]
    .map((keys) => smoothPath(keys.map((key) => crossings.get(key)!)))
    .join('');
}

function* followLines(neighbours: Map<string, string[]>): Generator<string[]> {
  const seen = new Set<string>();
  for (const start of neighbours.keys()) {
    const line: string[] = [];
    for (let at: string | undefined = start; at !== undefined; ) {
      seen.add(at);
      line.push(at);
      at = neighbours.get(at)!.find((next) => !seen.has(next));
    }
    if (line.length > 3) yield line;
  }
}

/**
 * Draws curves from midpoint to midpoint with the points as their handles, so that lines look drawn by hand.
 */
function smoothPath(points: readonly Point[]): string {
  const middle = ([a, b]: Point, [c, d]: Point): Point => [Math.round((a + c) / 2), Math.round((b + d) / 2)];
  const start = middle(points.at(-1)!, points[0]!);
  let [x, y] = start;
  const curves = points.map((point, index) => {
    const end = middle(point, points[(index + 1) % points.length]!);
    const numbers = [point[0] - x, point[1] - y, end[0] - x, end[1] - y];
    [x, y] = end;
    return `q${numbers.join(' ').replaceAll(' -', '-')}`;
  });
  return `M${start.join(' ')}${curves.join('')}z`;
}
