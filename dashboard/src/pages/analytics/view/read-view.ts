import { isDay } from '@trackside/contract/calendar/day.ts';
import { intervals } from '@trackside/contract/calendar/intervals.ts';
import { maxDays, maxFilters } from '@trackside/contract/stats/limits.ts';
import { readFilter } from './filter-text.ts';
import { daysOf } from './periods.ts';
import { cardMetrics, comparisons, namedPeriods, type Span, usualView, type View } from './view.ts';

/** The view that an address stands for. What cannot be read of it is left out; the rest counts. */
export function readView(search: string): View {
  const parameters = new URLSearchParams(search);
  const one = <Value extends string>(name: string, known: readonly Value[]) =>
    known.find((value) => value === parameters.get(name));
  return {
    period: one('period', namedPeriods) ?? readSpan(parameters.get('period') ?? '') ?? usualView.period,
    compare: one('compare', comparisons) ?? usualView.compare,
    interval: one('interval', intervals),
    metric: one('metric', cardMetrics) ?? usualView.metric,
    filters: parameters
      .getAll('f')
      .map(readFilter)
      .filter((filter) => filter !== undefined)
      .slice(0, maxFilters),
  };
}

const moment = /^(\d{4}-\d\d-\d\d)(T(?:[01]\d|2[0-3]):[0-5]\d)?$/;

function readSpan(text: string): Span | undefined {
  const [from = '', to = '', ...more] = text.split('..');
  const [, fromDay = '', fromTime] = moment.exec(from) ?? [];
  const [, toDay = '', toTime] = moment.exec(to) ?? [];
  const isPair = (fromTime === undefined) === (toTime === undefined) && more.length === 0;
  if (!isPair || !isDay(fromDay) || !isDay(toDay) || fromDay < '1970-01-01' || from > to) return undefined;
  const span = { from, to };
  return daysOf(span) > maxDays ? undefined : span;
}
