import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { comparisonOf } from '../view/compared-span.ts';
import type { AskedPeriod } from '../view/periods.ts';
import { type CardMetric, isOfEvents, metricsOf, type View } from '../view/view.ts';

type Scope = Pick<Questions['query'], 'period' | 'filters' | 'compare'>;

export const totalsQuestion = (view: View, period: AskedPeriod, today: string): Questions['query'] => ({
  ...scopeOf(view, period, today),
  ...toAsked(view, metricsOf(view)),
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
  ...toAsked(
    view,
    interval === 'minute' ? [view.metric, ...(view.second ? [view.second] : [])] : metricsOf(view),
  ),
});

/** Asks for all visitors, of whom the filters on events leave a share. Undefined if there are none. */
export function visitorsQuestion(
  view: View,
  period: AskedPeriod,
  today: string,
  interval?: Interval,
): Questions['query'] | undefined {
  if (!isOfShare(view)) return undefined;
  const filters = view.filters.filter((filter) => !isOfEvents(filter));
  return {
    ...scopeOf({ ...view, filters }, period, today),
    ...(interval !== undefined && { interval }),
    metrics: ['visitors'],
  };
}

/**
 * Whether the filters leave only events, so that the visitors are a share of all. A goal has its own rate.
 */
export const isOfShare = ({ filters, goal }: View): boolean => goal === undefined && filters.some(isOfEvents);

/** The metrics to ask for. Without a goal, the conversion rate is calculated from visitors. */
function toAsked(
  { goal }: View,
  metrics: readonly CardMetric[],
): Pick<Questions['query'], 'metrics' | 'goal'> {
  if (goal !== undefined) return { metrics, goal };
  const asked = metrics.map((metric): MetricName => (metric === 'conversionRate' ? 'visitors' : metric));
  return { metrics: [...new Set(asked)] };
}

/** The period, the filters and the comparison of a view. */
export function scopeOf(view: View, period: AskedPeriod, today: string): Scope {
  const { filters } = view;
  const compare = comparisonOf(view, today);
  return { period, filters, ...(compare !== undefined && { compare }) };
}
