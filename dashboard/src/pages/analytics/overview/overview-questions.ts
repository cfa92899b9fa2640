import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { comparisonOf } from '../view/compared-span.ts';
import type { AskedPeriod } from '../view/periods.ts';
import { type CardMetric, cardMetrics, type View } from '../view/view.ts';

type Scope = Pick<Questions['query'], 'period' | 'filters' | 'compare'>;

export const totalsQuestion = (view: View, period: AskedPeriod, today: string): Questions['query'] => ({
  ...scopeOf(view, period, today),
  metrics: cardMetrics,
});

/**
 * Asks for the series of all cards at once, so that pressing a card shows its chart without another request.
 * The store counts all of them anyway. By minute, that would be too many values.
 */
export const seriesQuestion = (
  view: View,
  period: AskedPeriod,
  today: string,
  interval: Interval,
): Questions['query'] => ({
  ...scopeOf(view, period, today),
  interval,
  metrics: interval === 'minute' ? ([view.metric] satisfies CardMetric[]) : cardMetrics,
});

function scopeOf(view: View, period: AskedPeriod, today: string): Scope {
  const { filters } = view;
  const compare = comparisonOf(view, today);
  return { period, filters, ...(compare !== undefined && { compare }) };
}
