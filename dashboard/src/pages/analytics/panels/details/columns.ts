import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { ValueKind } from '../../overview/metric-texts.ts';

type Column = { heading: string; kind: ValueKind };

/** The columns that a full table can have. */
export const columns: Readonly<Record<MetricName, Column>> = {
  visitors: { heading: 'Visitors', kind: 'count' },
  visits: { heading: 'Visits', kind: 'count' },
  pageViews: { heading: 'Page views', kind: 'count' },
  events: { heading: 'Count', kind: 'count' },
  viewsPerVisit: { heading: 'Views per visit', kind: 'ratio' },
  bounceRate: { heading: 'Bounce rate', kind: 'share' },
  visitDuration: { heading: 'Duration', kind: 'seconds' },
  eventsPerVisitor: { heading: 'Events per visitor', kind: 'ratio' },
  conversionRate: { heading: 'Conversion rate', kind: 'share' },
};
