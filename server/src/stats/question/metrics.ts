import type { MetricName } from '@trackside/contract/stats/metrics.ts';

/**
 * What is counted, and what all metrics are made of, in the order in which statements answer with it. Every
 * one adds up over days, except for visitors with a ClientId.
 */
export const countNames = [
  'visitors',
  'visits',
  'pageViews',
  'events',
  'bounces',
  'durationMs',
  // Visitors with a visit in which the goal's event happened.
  'converted',
] as const;
export type Counts = Record<(typeof countNames)[number], number>;

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

type Metric = { sql: string; of: (counts: Counts) => number | null };

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** How each is made of counts. `sql` is for ordering; columns have the names of the counts. */
export const metrics = {
  visitors: { sql: 'visitors', of: (c) => c.visitors },
  visits: { sql: 'visits', of: (c) => c.visits },
  pageViews: { sql: 'pageViews', of: (c) => c.pageViews },
  events: { sql: 'events', of: (c) => c.events },
  viewsPerVisit: {
    sql: 'if(visits = 0, 0, pageViews / visits)',
    of: (c) => share(c.pageViews, c.visits),
  },
  bounceRate: {
    sql: 'if(visits = 0, 0, bounces / visits)',
    of: (c) => share(c.bounces, c.visits),
  },
  visitDuration: {
    sql: 'if(visits = 0, 0, durationMs / visits)',
    of: (c) => share(c.durationMs, 1000 * c.visits),
  },
  eventsPerVisitor: {
    sql: 'if(visitors = 0, 0, events / visitors)',
    of: (c) => share(c.events, c.visitors),
  },
  conversionRate: {
    sql: 'if(visitors = 0, 0, converted / visitors)',
    of: (c) => share(c.converted, c.visitors),
  },
} as const satisfies Record<MetricName, Metric>;
