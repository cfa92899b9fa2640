import type { Series } from '../series/series.ts';

type Values = (number | null)[];

/**
 * The drawn values: the comparison, the complete intervals, the current interval, and another metric. A line
 * leads to the current interval from the one before; a bar stands alone.
 */
export type PlotData = [xs: number[], before: Values, complete: Values, unfinished: Values, second: Values];

export function toPlotData({ values, before, unfinished, second }: Series, areBars = false): PlotData {
  const goesOn = (index: number) =>
    unfinished !== undefined && (index === unfinished || (!areBars && index === unfinished - 1));
  return [
    values.map((_, index) => index),
    values.map((_, index) => before?.[index] ?? null),
    values.map((value, index) => (index === unfinished ? null : value)),
    values.map((value, index) => (goesOn(index) ? value : null)),
    values.map((_, index) => second?.values[index] ?? null),
  ];
}

/** Finds the values without a neighbor, which a line would not show. */
export function findLonePoints(values: readonly (number | null | undefined)[]): number[] {
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined;
  return values.flatMap((_, index) =>
    isThere(index) && !isThere(index - 1) && !isThere(index + 1) ? [index] : [],
  );
}
