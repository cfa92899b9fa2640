import type { Counts } from '../question/metrics.ts';

/** The counts in the order in which statements answer with them. */
export const countNames = [
  ...(['visitors', 'visits', 'pageViews', 'events', 'bounces', 'durationMs', 'converted'] as const),
];

export const noCounts: Counts = {
  ...{ visitors: 0, visits: 0, pageViews: 0, events: 0, bounces: 0, durationMs: 0, converted: 0 },
};

/** The counts of rows of the rollups, which are `r`. */
export const sumsOfRollups = `
  sum(r.visitors) as visitors, sum(r.visits) as visits, sum(page_views) as pageViews, sum(r.events) as events,
  sum(r.bounces) as bounces, sum(duration_ms) as durationMs, 0 as converted`;

export function toCounts([
  ...[visitors = 0, visits = 0, pageViews = 0, events = 0, bounces = 0, durationMs = 0, converted = 0]
]: readonly number[]): Counts {
  return { visitors, visits, pageViews, events, bounces, durationMs, converted };
}

export function addCounts(a: Counts, b: Counts): Counts {
  return {
    visitors: a.visitors + b.visitors,
    visits: a.visits + b.visits,
    pageViews: a.pageViews + b.pageViews,
    events: a.events + b.events,
    bounces: a.bounces + b.bounces,
    durationMs: a.durationMs + b.durationMs,
    converted: a.converted + b.converted,
  };
}
