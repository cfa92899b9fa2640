import { daysBetween } from '@trackside/contract/calendar/day.ts';
import { countIntervals, type Interval, intervals } from '@trackside/contract/calendar/intervals.ts';
import type { LocalTime } from '@trackside/contract/calendar/local-time.ts';
import {
  lastDays,
  lastMinutes,
  type Period,
  previousPeriod,
  previousYear,
  untilNow,
} from '@trackside/contract/calendar/period.ts';
import { isStorableDay } from '../../time/is-storable-day.ts';
import { type DimensionName, dimensions } from './dimensions.ts';
import { type MetricName, metrics } from './metrics.ts';
import { namedPeriod, periodNames } from './periods.ts';
import { type Filter, isSeries, type Key, type Question } from './question.ts';

/** What a question is about: the website's time, and the day of its first record. */
export type QuestionContext = { now: LocalTime; firstDay: string };

export type AskedQuestion = { question: Question; comparison: Period | undefined };

/** What is wrong with a question, and where. */
export class QuestionError extends Error {
  override name = 'QuestionError';
}

const limits = {
  ...{ days: 7320, intervals: 3000, dimensions: 4, filters: 20, anyOf: 200, text: 2048 },
  ...{ metrics: Object.keys(metrics).length, rows: 10_000, offset: 1_000_000 },
  // With the store's limit of 8 MiB for a statement, in which a byte can take six, there is room for all else.
  filterBytes: 128 * 1024,
};
export const maxRows = limits.rows;
const defaultRows = 100;
const members = [
  ...[
    'period',
    'interval',
    'metrics',
    'dimensions',
    'filters',
    'goal',
    'compare',
    'order',
    'limit',
    'offset',
  ],
];

/** Reads a question as it came. Every fault names the member, what was expected and what came. */
export function readQuestion(body: unknown, context: QuestionContext): AskedQuestion {
  const asked = readObject('Question', body, members);
  const period = readPeriod('period', asked.period ?? '30d', context);
  // A series of each value begins with the rows of the first intervals: a hundred of them would end it after a few.
  const rows = asked.interval === undefined ? defaultRows : maxRows;
  const question: Question = {
    period,
    metrics: readList('metrics', asked.metrics ?? ['visitors'], limits.metrics, readMetric),
    dimensions: readList('dimensions', asked.dimensions ?? [], limits.dimensions, readKey),
    filters: readFilters(asked.filters),
    order: readOrder(asked),
    limit: readNumber('limit', asked.limit ?? rows, 1, maxRows),
    offset: readNumber('offset', asked.offset ?? 0, 0, limits.offset),
    ...(asked.interval !== undefined && { interval: readOneOf('interval', asked.interval, intervals) }),
    ...(asked.goal !== undefined && { goal: readGoal(asked.goal) }),
  };
  checkTogether(question);
  const whole = readComparison(asked.compare, period, context);
  const isOfToday = period.from === context.now.day && period.fromTime === undefined;
  // A series shows the other day to its end; sums of a day that goes on are compared with as much of the other one.
  const comparison =
    whole !== undefined && isOfToday && question.interval === undefined && typeof asked.compare === 'string'
      ? untilNow(whole, context.now)
      : whole;
  if (comparison !== undefined && question.interval !== undefined) {
    if (question.dimensions.length > 0)
      throw new QuestionError('compare: expected with an interval or with dimensions, got it with both');
    // A year before, a leap day can make a few more of them.
    checkIntervals('compare', question.interval, comparison, 2 * limits.intervals);
  }
  return { question, comparison };
}

function readGoal(value: unknown): string {
  const goal = readText('goal', value);
  if (goal === '') throw new QuestionError('goal: expected the name of an event, got an empty text');
  return goal;
}

export function readFilters(asked: unknown): Filter[] {
  const filters = readList('filters', asked ?? [], limits.filters, readFilter);
  const bytes = filters.reduce((sum, filter) => sum + bytesOf(textsOf(filter)), 0);
  if (bytes > limits.filterBytes)
    throw new QuestionError(
      `filters: expected at most ${limits.filterBytes} bytes of text in all of them together, got ${bytes}`,
    );
  return filters;
}

function textsOf(filter: Filter): readonly string[] {
  const { of = '' } = filter;
  if ('anyOf' in filter) return [of, ...filter.anyOf];
  if ('contains' in filter) return [of, filter.contains];
  return [of, 'is' in filter ? filter.is : filter.isNot];
}

const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function checkTogether(question: Question): void {
  const { interval, period, dimensions: keys, metrics: asked, goal, order, offset } = question;
  if (interval !== undefined) checkIntervals('interval', interval, period, limits.intervals);
  // Refused and not ignored: the answer would have other rows than were asked for. A limit never takes rows from a series.
  if (keys.length === 0 && offset > 0)
    throw new QuestionError(
      `offset: expected only with dimensions, got ${offset}: without them the answer is always whole`,
    );
  if (isSeries(question) && order.length > 0)
    throw new QuestionError(
      'order: expected only with dimensions, got it with an interval alone: a series is in the order of time',
    );
  const lists = keys.filter(({ dimension }) => dimensions[dimension].level === 'list');
  if (lists.length > 1)
    throw new QuestionError(
      `dimensions: expected at most one of ${listNames.join(', ')}, got ${lists.length}`,
    );
  if (new Set(keys.map(({ dimension }) => dimension)).size < keys.length)
    throw new QuestionError('dimensions: expected each at most once, got one twice');
  if (asked.includes('conversionRate') && goal === undefined)
    throw new QuestionError(
      'goal: expected the name of an event, because conversionRate is asked, got nothing',
    );
}

function checkIntervals(path: string, interval: Interval, period: Period, most: number): void {
  if (countIntervals(interval, period) <= most) return;
  throw new QuestionError(
    `${path}: expected at most ${most} intervals in the period, got more: choose a longer interval`,
  );
}

const listNames = Object.entries(dimensions).flatMap(([name, { level }]) => (level === 'list' ? [name] : []));

export function readPeriod(path: string, value: unknown, { now, firstDay }: QuestionContext): Period {
  if (typeof value === 'string') {
    const days = /^(\d{1,4})d$/.exec(value)?.[1];
    if (days !== undefined && Number(days) >= 1 && Number(days) <= limits.days)
      return lastDays(Number(days), now.day);
    const name = periodNames.find((known) => known === value);
    if (name !== undefined) return namedPeriod(name, now.day, firstDay);
    throw new QuestionError(
      `${path}: expected ${periodNames.join(', ')}, a number of days such as 30d, or an object with from and to, got ${shown(value)}`,
    );
  }
  const asked = readObject(path, value, ['from', 'to', 'lastMinutes']);
  if (asked.lastMinutes !== undefined)
    return lastMinutes(readNumber(`${path}.lastMinutes`, asked.lastMinutes, 1, 1440), now);
  const from = readMoment(`${path}.from`, asked.from);
  const to = readMoment(`${path}.to`, asked.to);
  if ((from.time === undefined) !== (to.time === undefined))
    throw new QuestionError(
      `${path}: expected from and to both as days or both with minutes, got one of each`,
    );
  if (`${from.day}${from.time ?? ''}` > `${to.day}${to.time ?? ''}`)
    throw new QuestionError(
      `${path}: expected from to be before to, got ${shown(asked.from)} and ${shown(asked.to)}`,
    );
  if (daysBetween(from.day, to.day) >= limits.days)
    throw new QuestionError(
      `${path}: expected at most ${limits.days} days, got ${daysBetween(from.day, to.day) + 1}`,
    );
  return {
    ...{ from: from.day, to: to.day },
    ...(from.time !== undefined && to.time !== undefined && { fromTime: from.time, toTime: to.time }),
  };
}

function readMoment(path: string, value: unknown): { day: string; time?: string } {
  const found =
    typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d))?$/.exec(value) : null;
  if (found === null || !isStorableDay(found[1]!)) {
    throw new QuestionError(
      `${path}: expected a day such as 2026-03-31, or a minute such as 2026-03-31T14:05, got ${shown(value)}`,
    );
  }
  return { day: found[1]!, ...(found[2] !== undefined && { time: `${found[2]}:${found[3]}` }) };
}

function readComparison(value: unknown, period: Period, context: QuestionContext): Period | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === 'previousPeriod') return storable(previousPeriod(period));
  if (value === 'previousYear') return storable(previousYear(period));
  if (typeof value === 'string')
    throw new QuestionError(
      `compare: expected previousPeriod, previousYear or a period, got ${shown(value)}`,
    );
  return readPeriod('compare', value, context);
}

function storable(compared: Period): Period {
  if (isStorableDay(compared.from)) return compared;
  throw new QuestionError(
    `compare: expected days from 1970 on, got ${compared.from}: choose a later or a shorter period`,
  );
}

function readMetric(path: string, value: unknown): MetricName {
  return readOneOf(path, value, Object.keys(metrics) as MetricName[]);
}

function readDimension(path: string, value: unknown): DimensionName {
  return readOneOf(path, value, Object.keys(dimensions) as DimensionName[]);
}

function readKey(path: string, value: unknown): Key {
  if (typeof value === 'string') return { dimension: readDimension(path, value) };
  const asked = readObject(path, value, ['dimension', 'of']);
  return readKeyOf(path, asked);
}

function readKeyOf(path: string, asked: Record<string, unknown>): Key {
  const dimension = readDimension(`${path}.dimension`, asked.dimension);
  if (asked.of === undefined) return { dimension };
  if (!('sqlOf' in dimensions[dimension]))
    throw new QuestionError(
      `${path}.of: expected only with queryParameter or parameterValue, got it with ${dimension}`,
    );
  return { dimension, of: readText(`${path}.of`, asked.of) };
}

const operators = ['is', 'isNot', 'contains', 'anyOf'] as const;

function readFilter(path: string, value: unknown): Filter {
  const asked = readObject(path, value, ['dimension', 'of', ...operators]);
  const key = readKeyOf(path, asked);
  const given = operators.filter((operator) => asked[operator] !== undefined);
  const [operator] = given;
  if (operator === undefined || given.length > 1)
    throw new QuestionError(
      `${path}: expected one of ${operators.join(', ')}, got ${given.length === 0 ? 'none' : given.join(' and ')}`,
    );
  const operand = asked[operator];
  switch (operator) {
    case 'is':
      return { ...key, is: readText(`${path}.is`, operand) };
    case 'isNot':
      return { ...key, isNot: readText(`${path}.isNot`, operand) };
    case 'contains':
      return { ...key, contains: readText(`${path}.contains`, operand) };
    case 'anyOf':
      return { ...key, anyOf: readList(`${path}.anyOf`, operand, limits.anyOf, readText) };
  }
}

function readOrder(asked: Record<string, unknown>): Question['order'] {
  if (asked.order === undefined) {
    // A series in its order; lists with the most first.
    if (asked.interval !== undefined) return [];
    const first = Array.isArray(asked.metrics) ? asked.metrics[0] : undefined;
    return [{ by: first === undefined ? 'visitors' : readMetric('metrics[0]', first), descending: true }];
  }
  return readList('order', asked.order, 5, (path, value) => {
    const { by, descending = false } = readObject(path, value, ['by', 'descending']);
    if (typeof descending !== 'boolean')
      throw new QuestionError(`${path}.descending: expected true or false, got ${shown(descending)}`);
    return { by: by === 'dimension' ? by : readMetric(`${path}.by`, by), descending };
  });
}

export function readObject(path: string, value: unknown, known: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new QuestionError(`${path}: expected an object, got ${shown(value)}`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  // Not ignored: a filter that is spelt wrong would silently answer another question.
  if (unknown !== undefined)
    throw new QuestionError(`${path}: expected only the members ${known.join(', ')}, got ${shown(unknown)}`);
  return value as Record<string, unknown>;
}

export function readList<T>(
  path: string,
  value: unknown,
  most: number,
  read: (path: string, element: unknown) => T,
): T[] {
  if (!Array.isArray(value)) throw new QuestionError(`${path}: expected a list, got ${shown(value)}`);
  if (value.length > most)
    throw new QuestionError(`${path}: expected at most ${most} elements, got ${value.length}`);
  return value.map((element, index) => read(`${path}[${index}]`, element));
}

export function readText(path: string, value: unknown): string {
  if (typeof value !== 'string') throw new QuestionError(`${path}: expected a text, got ${shown(value)}`);
  if (value.length > limits.text)
    throw new QuestionError(`${path}: expected at most ${limits.text} characters, got ${value.length}`);
  return value.toWellFormed().replaceAll('\0', '\uFFFD');
}

export function readNumber(path: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw new QuestionError(`${path}: expected a whole number from ${least} to ${most}, got ${shown(value)}`);
}

export function readOneOf<T extends string>(path: string, value: unknown, known: readonly T[]): T {
  const found = known.find((name) => name === value);
  if (found !== undefined) return found;
  throw new QuestionError(`${path}: expected one of ${known.join(', ')}, got ${shown(value)}`);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return Array.isArray(value) ? 'a list' : 'an object';
}
