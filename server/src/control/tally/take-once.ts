import type { Range, Ranges } from './number-ranges.ts';

/**
 * Returns a function that takes the numbers of a set as far as they weren't taken before. All sets must be known
 * at the start: they are sorted once, so the time doesn't grow with the square of how many there are.
 */
export function takeOnce(all: readonly Range[]): (ranges: Ranges) => Range[] {
  const starts = Float64Array.from(new Set(all.flatMap(([from, to]) => [from, to + 1]))).sort();
  /** For each piece, itself or a later one, on the way to the next that isn't taken. */
  const next = Uint32Array.from({ length: starts.length + 1 }, (_, at) => at);

  function nextFree(from: number): number {
    let at = from;
    while (next[at] !== at) {
      next[at] = next[next[at]!]!;
      at = next[at]!;
    }
    return at;
  }

  return (ranges) => {
    const taken: Range[] = [];
    for (const [from, to] of ranges)
      for (let at = nextFree(findIn(starts, from)); starts[at]! <= to; at = nextFree(at)) {
        const last = taken.at(-1);
        const end = starts[at + 1]! - 1;
        if (last !== undefined && last[1] + 1 === starts[at]) taken[taken.length - 1] = [last[0], end];
        else taken.push([starts[at]!, end]);
        next[at] = at + 1;
      }
    return taken;
  };
}

/** Returns the place of a number in a sorted list that has it. */
function findIn(sorted: Float64Array, wanted: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
