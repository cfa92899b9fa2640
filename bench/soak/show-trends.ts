import { findTrend, type Trend } from './find-trend.ts';
import type { Seen } from './looker.ts';
import { type Measure, measures } from './measures.ts';
import type { Sample } from './take-sample.ts';

export type NamedTrend = Trend & Pick<Measure, 'name' | 'unit'>;

export function findTrends(
  samples: readonly Sample[],
  screens: Seen['screens'],
  totalMs: number,
): NamedTrend[] {
  return measures.map(({ name, unit, bound, quantile, pointsOf }) => ({
    name,
    unit,
    ...findTrend(pointsOf(samples, screens), { totalMs, bound, quantile }),
  }));
}

/** Shows a line for each measure: its four quarters, the change in an hour, and whether it grew. */
export function showTrends(trends: readonly NamedTrend[]): string[] {
  const rows = trends.map(({ name, unit, quarters, perHour, hasGrown }) => [
    unit === '' ? name : `${name} (${unit})`,
    ...quarters.map(show),
    `${perHour >= 0 ? '+' : ''}${show(perHour)}/h`,
    hasGrown ? 'GREW' : '',
  ]);
  const all = [['', 'warm-up', '2nd quarter', '3rd quarter', 'last quarter', 'slope', ''], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

function show(value: number): string {
  if (Number.isNaN(value)) return '–';
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0 });
}
