import type { Span } from '../../view/view.ts';
import { cutToPeriod } from './cut-to-period.ts';
import type { Series } from './series.ts';

type Asked = Pick<Series, 'interval' | 'period' | 'times'>;

/** The days or minutes from one interval to another, cut off at the ends of the period. */
export function zoomSpan({ interval, period, times }: Asked, first: number, last: number): Span {
  const { from, to } = cutToPeriod(interval, period, times[first]!, times[last]!);
  const isOfWholeDays = from.endsWith('T00:00') && to.endsWith('T23:59');
  return isOfWholeDays ? { from: from.slice(0, 10), to: to.slice(0, 10) } : { from, to };
}

/** Whether the chart can zoom into a range. One minute is the smallest. */
export function canZoom({ interval, times }: Asked, first: number, last: number): boolean {
  const isAll = last - first + 1 === times.length;
  return interval === 'minute' ? last > first && !isAll : !isAll || times.length === 1;
}
