import { intervalEnd } from '@trackside/contract/calendar/intervals.ts';
import { cutToPeriod } from '../series/cut-to-period.ts';
import type { Series } from '../series/series.ts';

type Values = (number | null)[];

/**
 * The drawn values: the comparison, the complete intervals, those that are incomplete, and another metric.
 * A line leads to an incomplete interval from the one beside it; a bar stands alone.
 */
export type PlotData = [xs: number[], before: Values, complete: Values, unfinished: Values, second: Values];

export function toPlotData(series: Series, areBars = false): PlotData {
  const { values, before, second } = series;
  const partial = values.map((_, index) => isPartial(series, index));
  const goesOn = (index: number) =>
    partial[index] || (!areBars && (partial[index - 1] === true || partial[index + 1] === true));
  return [
    values.map((_, index) => index),
    values.map((_, index) => before?.[index] ?? null),
    values.map((value, index) => (partial[index] ? null : value)),
    values.map((value, index) => (goesOn(index) ? value : null)),
    values.map((_, index) => second?.values[index] ?? null),
  ];
}

/** Whether an interval isn't over yet, or is one of which the period has only a part. */
function isPartial({ interval, period, times, unfinished }: Series, index: number): boolean {
  if (index === unfinished) return true;
  const start = times[index]!;
  const { from, to } = cutToPeriod(interval, period, start, start);
  return from !== start || to !== intervalEnd(interval, start);
}

/** Finds the values without a neighbor, which a line would not show. */
export function findLonePoints(values: readonly (number | null | undefined)[]): number[] {
  const isThere = (index: number) => values[index] !== null && values[index] !== undefined;
  return values.flatMap((_, index) =>
    isThere(index) && !isThere(index - 1) && !isThere(index + 1) ? [index] : [],
  );
}
