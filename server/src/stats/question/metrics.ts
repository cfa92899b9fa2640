/**
 * What is counted, and what all metrics are made of, in the order in which statements answer with it. Every one adds up over
 * days, except for visitors with a ClientId.
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

type Metric = { sql: string; of: (counts: Counts) => number | null; meaning: string };

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/** `sql` is for ordering; columns have the names of the counts. */
export const metrics = {
  visitors: { sql: 'visitors', of: (c) => c.visitors, meaning: 'different visitors' },
  visits: { sql: 'visits', of: (c) => c.visits, meaning: 'visits' },
  pageViews: { sql: 'pageViews', of: (c) => c.pageViews, meaning: 'page views' },
  events: { sql: 'events', of: (c) => c.events, meaning: 'events' },
  viewsPerVisit: {
    sql: 'if(visits = 0, 0, pageViews / visits)',
    of: (c) => share(c.pageViews, c.visits),
    meaning: 'page views per visit',
  },
  bounceRate: {
    sql: 'if(visits = 0, 0, bounces / visits)',
    of: (c) => share(c.bounces, c.visits),
    meaning: 'share of visits with one page view and nothing else, 0 to 1',
  },
  visitDuration: {
    sql: 'if(visits = 0, 0, durationMs / visits)',
    of: (c) => share(c.durationMs, 1000 * c.visits),
    meaning: 'mean time from the first to the last record of a visit, in seconds',
  },
  eventsPerVisitor: {
    sql: 'if(visitors = 0, 0, events / visitors)',
    of: (c) => share(c.events, c.visitors),
    meaning: 'events per visitor',
  },
  conversionRate: {
    sql: 'if(visitors = 0, 0, converted / visitors)',
    of: (c) => share(c.converted, c.visitors),
    meaning: 'share of visitors with a visit in which the event of `goal` happened, 0 to 1',
  },
} as const satisfies Record<string, Metric>;

export type MetricName = keyof typeof metrics;
