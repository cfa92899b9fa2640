import type { Series } from '../series/series.ts';

type Values = (number | null)[];

/** The drawn values: the comparison, the complete intervals, and the segment to the current interval. */
export type PlotData = [xs: number[], before: Values, complete: Values, unfinished: Values];

export function toPlotData({ values, before, unfinished }: Series): PlotData {
  const goesOn = (index: number) =>
    unfinished !== undefined && (index === unfinished || index === unfinished - 1);
  return [
    values.map((_, index) => index),
    values.map((_, index) => before?.[index] ?? null),
    values.map((value, index) => (index === unfinished ? null : value)),
    values.map((value, index) => (goesOn(index) ? value : null)),
  ];
}

/** Finds the values without a neighbor, which a line would not show. */
export function findLonePoints(values: readonly (number | null | undefined)[]): number[] {
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined;
  return values.flatMap((_, index) =>
    isThere(index) && !isThere(index - 1) && !isThere(index + 1) ? [index] : [],
  );
}
