import { type Counts, countNames } from '../question/metrics.ts';

/** The counts of rows of the rollups, which are `r`. */
export const sumsOfRollups = `
  sum(r.visitors) as visitors, sum(r.visits) as visits, sum(page_views) as pageViews, sum(r.events) as events,
  sum(r.bounces) as bounces, sum(duration_ms) as durationMs, 0 as converted`;

/** The counts of a list in the order of their names; what is missing is 0. */
export function toCounts(list: readonly (number | undefined)[]): Counts {
  return Object.fromEntries(countNames.map((name, at) => [name, list[at] ?? 0])) as Counts;
}

export const noCounts: Counts = toCounts([]);

export function addCounts(a: Counts, b: Counts): Counts {
  const sum = { ...a };
  for (const name of countNames) sum[name] += b[name];
  return sum;
}
