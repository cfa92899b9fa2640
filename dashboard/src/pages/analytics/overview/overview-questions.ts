import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { comparedSpan } from '../view/compared-span.ts';
import { type AskedPeriod, spanOf } from '../view/periods.ts';
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

/** The period, the filters and the comparison of a view. */
export function scopeOf(view: View, period: AskedPeriod, today: string): Scope {
  const { filters, compare } = view;
  if (compare === 'none') return { period, filters };
  const compared = comparedSpan(view, today);
  // Given a name, the server compares `all` with the year before, and today with the same part of another
  // day.
  const isNamed =
    view.period === 'all' || compared === undefined || spanOf(view.period, today).from === today;
  return { period, filters, compare: isNamed ? compare : compared };
}
