import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { ValueKind } from '../../overview/metric-traits.ts';

/** What the numbers of each column are. */
export const columnKinds: Readonly<Record<MetricName, ValueKind>> = {
  visitors: 'count',
  visits: 'count',
  pageViews: 'count',
  events: 'count',
  viewsPerVisit: 'ratio',
  bounceRate: 'share',
  visitDuration: 'seconds',
  eventsPerVisitor: 'ratio',
  conversions: 'count',
  conversionRate: 'rate',
};
