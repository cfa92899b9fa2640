import { cut, type Ranges, sizeOf, subtract, unite } from './number-ranges.ts';
import { type OutcomeOfNumber, outcomesOfNumbers, type SeenNumbers } from './tally-rows.ts';

/** Beyond this many ranges, the lower ones of an hour are settled. */
const maxRanges = 1000;
const rangesLeft = 500;
const kinds = [...outcomesOfNumbers, 'settled'] as const;

/** Puts together numbers that arrived in the same hour. */
export function uniteNumbers(one: SeenNumbers, other: SeenNumbers): SeenNumbers {
  const united: SeenNumbers = {};
  for (const kind of kinds) {
    const ranges = unite(one[kind] ?? [], other[kind] ?? []);
    if (ranges.length > 0) united[kind] = ranges;
  }
  return united;
}

export function highestOf(numbers: SeenNumbers): number {
  let highest = 0;
  for (const kind of kinds) highest = Math.max(highest, numbers[kind]?.at(-1)?.[1] ?? 0);
  return highest;
}

function lowestOf(numbers: SeenNumbers): number {
  return Math.min(...kinds.map((kind) => numbers[kind]?.[0]?.[0] ?? Number.MAX_SAFE_INTEGER));
}

/** Settles all numbers below these, which were counted without their numbers. */
export function settleBelow(numbers: SeenNumbers): SeenNumbers {
  const lowest = lowestOf(numbers);
  return lowest === 1 ? numbers : { ...numbers, settled: unite(numbers.settled ?? [], [[1, lowest - 1]]) };
}

export function isInTooManyPieces(numbers: SeenNumbers): boolean {
  return kinds.reduce((sum, kind) => sum + (numbers[kind]?.length ?? 0), 0) > maxRanges;
}

/**
 * Settles the lower numbers if they are in too many pieces: those that arrived are counted, and those between
 * them are given up. Returns what is left, and what is to be counted.
 */
export function settleLowest(numbers: SeenNumbers): {
  left: SeenNumbers;
  settled: ReadonlyMap<OutcomeOfNumber, number>;
} {
  const settled = new Map<OutcomeOfNumber, number>();
  if (!isInTooManyPieces(numbers)) return { left: numbers, settled };
  const ends = outcomesOfNumbers.flatMap((outcome) => numbers[outcome] ?? []).map(([, to]) => to);
  const upTo = ends.sort((a, b) => a - b).at(-rangesLeft - 1) ?? 0;
  const lowest = lowestOf(numbers);
  const left: SeenNumbers = { settled: [[lowest, Math.max(upTo, numbers.settled?.at(-1)?.[1] ?? 0)]] };
  let claimed: Ranges = [];
  for (const outcome of outcomesOfNumbers) {
    const own = subtract(numbers[outcome] ?? [], claimed);
    claimed = unite(claimed, own);
    settled.set(outcome, sizeOf(cut(own, 0, upTo)));
    left[outcome] = cut(own, upTo + 1, Number.MAX_SAFE_INTEGER);
  }
  return { left, settled };
}
