import { isDay } from '@trackside/contract/calendar/day.ts';
import { intervals } from '@trackside/contract/calendar/intervals.ts';
import { maxDays, maxFilters } from '@trackside/contract/stats/limits.ts';
import { operators } from '@trackside/contract/stats/operators.ts';
import type { Filter, Goal } from '@trackside/contract/stats/questions.ts';
import { writeFilter } from '@trackside/contract/stats/write-filter.ts';
import { dimensionNames, hasNames } from './dimensions.ts';
import { toFilter } from './filters.ts';
import { intervalsOf } from './intervals.ts';
import { daysOf, hasTimes } from './periods.ts';
import {
  canCompare,
  cardMetrics,
  comparisons,
  metricsOf,
  namedPeriods,
  type Span,
  usualView,
  type View,
} from './view.ts';

/** A `segment` is replaced by its filters when the page opens. */
const ours = new Set(['period', 'compare', 'interval', 'metric', 'second', 'f', 'goal', 'segment']);

/** Reads the view from the search part of an address. Parts that can't be read are ignored. */
export function readView(search: string): View {
  const parameters = new URLSearchParams(search);
  const one = <Value extends string>(name: string, known: readonly Value[]) =>
    known.find((value) => value === parameters.get(name));
  return {
    period: one('period', namedPeriods) ?? readSpan(parameters.get('period') ?? '') ?? usualView.period,
    compare: one('compare', comparisons) ?? readDays(parameters.get('compare') ?? '') ?? usualView.compare,
    interval: one('interval', intervals),
    metric: one('metric', cardMetrics) ?? usualView.metric,
    second: one('second', cardMetrics),
    filters: parameters
      .getAll('f')
      .map(readFilter)
      .filter((filter) => filter !== undefined)
      .slice(0, maxFilters),
    goal: readGoal(parameters.get('goal') ?? ''),
  };
}

/**
 * Writes a view as the search part of an address. Defaults are omitted, and other parameters in `search`
 * stay.
 */
export function writeView(view: View, search = ''): string {
  const { period, compare, interval, metric, second, filters, goal } = view;
  const others = [...new URLSearchParams(search)].filter(([name]) => !ours.has(name));
  const said: [string, string][] = [];
  if (typeof period === 'object') said.push(['period', `${period.from}..${period.to}`]);
  else if (period !== usualView.period) said.push(['period', period]);
  if (typeof compare === 'object') said.push(['compare', `${compare.from}..${compare.to}`]);
  else if (compare !== usualView.compare) said.push(['compare', compare]);
  if (interval !== undefined) said.push(['interval', interval]);
  if (metric !== usualView.metric) said.push(['metric', metric]);
  if (second !== undefined) said.push(['second', second]);
  for (const filter of filters) said.push(['f', writeFilter(filter)]);
  if (goal !== undefined) said.push(['goal', writeGoal(goal)]);
  const text = [...said, ...others].map((pair) => pair.map(encode).join('=')).join('&');
  return text === '' ? '' : `?${text}`;
}

/**
 * Returns the search part after a change of its view. An interval that doesn't fit the new period is dropped.
 */
export function changeSearch(search: string, change: Partial<View>, today: string): string {
  const view = { ...readView(search), ...change };
  const { period, interval } = view;
  const fits = interval === undefined || intervalsOf(period, today).includes(interval);
  return writeView(fits ? view : { ...view, interval: undefined }, search);
}

/**
 * The view as it is answered: all time has no previous period to compare with, and the filters may leave
 * nothing to count for a metric.
 */
export function effectiveView(view: View): View {
  const { period, compare, metric, second } = view;
  const offered = metricsOf(view);
  const first = offered.includes(metric) ? metric : usualView.metric;
  return {
    ...view,
    compare: canCompare(period, compare) ? compare : 'none',
    metric: first,
    second: second !== undefined && second !== first && offered.includes(second) ? second : undefined,
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

function readDays(text: string): Span | undefined {
  const span = readSpan(text);
  return span === undefined || hasTimes(span) ? undefined : span;
}

/** Encodes a text, but leaves readable characters that are allowed in the search part. */
const encode = (text: string) =>
  encodeURIComponent(text.toWellFormed())
    .replace(/%(?:3A|2F|2C|40)/g, decodeURIComponent)
    .replaceAll('%20', '+');

/** Reads a filter. Undefined for any other text. */
function readFilter(text: string): Filter | undefined {
  const [, name, nameOf, how, value = ''] = /^(\w+)(?:\(([^)]*)\))?:(\w+):(.*)$/s.exec(text) ?? [];
  const dimension = dimensionNames.find((known) => known === name);
  const operator = operators.find((known) => known === how);
  if (dimension === undefined || operator === undefined) return undefined;
  const of = nameOf === undefined ? undefined : decode(nameOf);
  if (nameOf !== undefined && (of === undefined || !hasNames(dimension))) return undefined;
  const key = { dimension, ...(of !== undefined && { of }) };
  return toFilter(key, operator, operator === 'anyOf' ? splitAtBars(value) : [value]);
}

const writeGoal = (goal: Goal) => ('page' in goal ? `page:${goal.page}` : `event:${goal.event}`);

/** Reads a goal: event:signup, page:/thanks*. Undefined for any other text. */
function readGoal(text: string): Goal | undefined {
  const [, kind, target] = /^(page|event):(.+)$/s.exec(text) ?? [];
  if (kind === undefined || target === undefined) return undefined;
  if (kind === 'event') return { event: target };
  return target.startsWith('/') ? { page: target } : undefined;
}

function splitAtBars(text: string): string[] {
  const parts = [''];
  for (const [, escaped, bar, plain] of text.matchAll(/\\(.)|(\|)|([^\\|]+)/gs)) {
    if (bar !== undefined) parts.push('');
    else parts[parts.length - 1] += escaped ?? plain ?? '';
  }
  return parts;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
