import type { ValueKind } from '../metric-traits.ts';

/** Steps that are round on a clock: up to a minute, an hour and a day. */
const secondSteps = [
  [1, 2, 5, 10, 15, 30, 60],
  [120, 180, 300, 600, 900, 1_800, 3_600],
  [7_200, 14_400, 21_600, 43_200, 86_400],
].flat();

/** Picks the values of the grid lines, from 0 up to the first one that is not below the highest value. */
export function pickValueSteps(kind: ValueKind, highest: number, mostSteps = 4): number[] {
  if (!(highest > 0)) return [0];
  const least = highest / mostSteps;
  const step = kind === 'seconds' ? secondStep(least) : decimalStep(least, kind === 'count' ? 1 : 0);
  const steps = Math.ceil(highest / step - 1e-9);
  // Rounding hides errors such as 0.1 + 0.2 not being 0.3.
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/** Finds a step of 1, 2, 2.5 or 5, times a power of ten. */
function decimalStep(least: number, smallest: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(least, smallest)));
  const step = size * [1, 2, 2.5, 5, 10].find((factor) => size * factor >= least * (1 - 1e-9))!;
  // Counts have no fractions.
  return smallest === 1 && step === 2.5 ? 3 : Math.max(step, smallest);
}

function secondStep(least: number): number {
  return secondSteps.find((step) => step >= least) ?? Math.ceil(least / 86_400) * 86_400;
}
