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
  const step = roundStep(kind, highest / mostSteps, [1, 2, 2.5, 5, 10]);
  return listSteps(step, Math.ceil(highest / step - 1e-9));
}

/** Picks as many values as another axis has, so that both meet the same grid lines. */
export function pickMatchingSteps(kind: ValueKind, highest: number, steps: number): number[] {
  if (!(highest > 0) || steps < 1) return pickValueSteps(kind, highest);
  return listSteps(roundStep(kind, highest / steps, [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]), steps);
}

// Rounding hides errors such as 0.1 + 0.2 not being 0.3.
const listSteps = (step: number, steps: number) =>
  Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));

function roundStep(kind: ValueKind, least: number, factors: readonly number[]): number {
  return kind === 'seconds' ? secondStep(least) : decimalStep(least, kind === 'count' ? 1 : 0, factors);
}

/** Finds a step of one of the factors times a power of ten. */
function decimalStep(least: number, smallest: number, factors: readonly number[]): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(least, smallest)));
  const step = size * factors.find((factor) => size * factor >= least * (1 - 1e-9))!;
  // Counts have no fractions.
  return smallest === 1 ? Math.max(Math.ceil(step - 1e-9), smallest) : step;
}

function secondStep(least: number): number {
  return secondSteps.find((step) => step >= least) ?? Math.ceil(least / 86_400) * 86_400;
}
