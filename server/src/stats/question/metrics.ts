import type { MetricName } from '@trackside/contract/stats/metrics.ts';

/**
 * The counts that all metrics are made of, in the order of the columns in statements. All of them can be
 * added up over days, except for visitors with a ClientId.
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

type Metric = { sql: string; of: (counts: Counts) => number | null };

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/**
 * How each metric is calculated from counts. `sql` is for ordering; its columns have the names of the counts.
 */
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
