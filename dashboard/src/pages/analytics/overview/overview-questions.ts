import type { AskedPeriod, Interval, Questions } from '../../../api/stats-shapes.ts';
import { type CardMetric, cardMetrics, type View } from '../view/view.ts';

type Scope = Pick<Questions['query'], 'period' | 'filters' | 'compare'>;

/** As many intervals as the server tells in one series. */
const mostIntervals = 3000;

export const totalsQuestion = (view: View, period: AskedPeriod): Questions['query'] => ({
  ...scopeOf(view, period),
  metrics: cardMetrics,
});

/**
 * The series of all cards at once, so that pressing one shows its chart without asking: the store counts all of them
 * anyway. Only minutes are too many for that.
 */
export const seriesQuestion = (view: View, period: AskedPeriod, interval: Interval): Questions['query'] => ({
  ...{ ...scopeOf(view, period), interval, limit: mostIntervals },
  metrics: interval === 'minute' ? ([view.metric] satisfies CardMetric[]) : cardMetrics,
});

function scopeOf({ filters, compare }: View, period: AskedPeriod): Scope {
  return { period, filters, ...(compare !== 'none' && { compare }) };
}
