import { cut, type Ranges, sizeOf, subtract, unite } from './number-ranges.ts';
import { type OutcomeOfNumber, outcomesOfNumbers, type SeenNumbers } from './tally-rows.ts';

/** Beyond this many ranges, the lower half of an hour's numbers is settled. */
const maxRanges = 1000;

/** Puts together numbers that arrived in the same hour. */
export function uniteNumbers(one: SeenNumbers, other: SeenNumbers): SeenNumbers {
  const united: SeenNumbers = {};
  for (const kind of [...outcomesOfNumbers, 'settled'] as const) {
    const ranges = unite(one[kind] ?? [], other[kind] ?? []);
    if (ranges.length > 0) united[kind] = ranges;
  }
  return united;
}

/**
 * Settles the lower half of the numbers if they are in too many pieces: those that arrived are counted, and
 * those between them are given up. Returns what is left, and what is to be counted.
 */
export function settleLowest(numbers: SeenNumbers): {
  left: SeenNumbers;
  settled: ReadonlyMap<OutcomeOfNumber, number>;
} {
  const settled = new Map<OutcomeOfNumber, number>();
  const pieces = outcomesOfNumbers.reduce((sum, outcome) => sum + (numbers[outcome]?.length ?? 0), 0);
  if (pieces <= maxRanges) return { left: numbers, settled };
  const all = outcomesOfNumbers.flatMap((outcome) => numbers[outcome] ?? []);
  const ends = all.map(([, to]) => to).sort((a, b) => a - b);
  const upTo = ends[Math.floor(ends.length / 2)]!;
  const lowest = Math.min(...all.map(([from]) => from));
  const left: SeenNumbers = { settled: unite(numbers.settled ?? [], [[lowest, upTo]]) };
  let claimed: Ranges = [];
  for (const outcome of outcomesOfNumbers) {
    const own = subtract(numbers[outcome] ?? [], claimed);
    claimed = unite(claimed, own);
    settled.set(outcome, sizeOf(cut(own, 0, upTo)));
    left[outcome] = cut(own, upTo + 1, Number.MAX_SAFE_INTEGER);
  }
  return { left, settled };
}
