/** The metrics, and what each number means. */
export const metrics = {
  visitors: 'unique visitors',
  visits: 'visits',
  pageViews: 'page views',
  events: 'events',
  viewsPerVisit: 'page views per visit',
  bounceRate: 'share of visits with one page view and nothing else, 0 to 1',
  visitDuration: 'mean time from the first to the last record of a visit, in seconds',
  eventsPerVisitor: 'events per visitor',
  conversions: 'visitors with a visit in which `goal` was reached',
  conversionRate: 'conversions divided by visitors, 0 to 1',
} as const;

export type MetricName = keyof typeof metrics;
export const metricNames = Object.keys(metrics) as readonly MetricName[];
