import { countIntervals, type Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { listDimensions, namedDimensions } from '@trackside/contract/stats/dimensions.ts';
import {
  defaultRows,
  maxDimensions,
  maxFilterBytes,
  maxFilters,
  maxIntervals,
  maxOrders,
  maxRows,
  maxValues,
} from '@trackside/contract/stats/limits.ts';
import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import { operators } from '@trackside/contract/stats/operators.ts';
import {
  dimensionSchema,
  type Filter,
  filterSchema,
  type Goal,
  intervalSchema,
  type Key,
  keySchema,
  limitSchema,
  metricSchema,
  offsetSchema,
  orderSchema,
  questionSchema,
} from '@trackside/contract/stats/questions.ts';
import { checkCode } from './coded-values.ts';
import { readGoal } from './goal.ts';
import { QuestionError } from './question-error.ts';
import { readAddresses } from './read-address.ts';
import { readComparison } from './read-comparison.ts';
import { type QuestionContext, readPeriod } from './read-period.ts';
import { createReader, readFilled, readList, readObject, readText, shown } from './read-value.ts';

/** Builds that have replaced others, and those that counted before. */
export type Change = { builds: readonly string[]; before: readonly string[] };

/** A question about one website, validated and complete. */
export type Question = {
  period: Period;
  interval?: Interval;
  metrics: readonly MetricName[];
  dimensions: readonly Key[];
  /** All filters must hold for the same record. */
  filters: readonly Filter[];
  /** What counts as a conversion. */
  goal?: Goal;
  order: readonly { by: MetricName | 'dimension'; descending: boolean }[];
  limit: number;
  offset: number;
  /** Only rows with these values of the dimensions, for a comparison with known rows. */
  only?: readonly (readonly string[])[];
  /** Asks by how much changes make the numbers differ. */
  change?: Change;
  /** Asks by how much these filters on visits make the numbers differ. */
  leftOutBy?: readonly Filter[];
};

/**
 * Returns whether the answer has intervals and no dimensions. Such a series is always complete and in the
 * order of time, so no limit, offset or order applies.
 */
export function isSeries({ interval, dimensions }: Pick<Question, 'interval' | 'dimensions'>): boolean {
  return interval !== undefined && dimensions.length === 0;
}

/** Returns whether a question asks for differences of numbers. */
export function isDifference({ change, leftOutBy }: Question): boolean {
  return change !== undefined || leftOutBy !== undefined;
}

/** Returns whether a question asks for a short list: the top of one dimension. */
export function isList(question: Question): boolean {
  return isTop(question) && question.dimensions[0]!.dimension !== 'weekday' && question.limit <= 100;
}

/** Returns whether a question asks for values of one dimension in the order of numbers, from the first on. */
export function isTop({ dimensions, interval, offset, order }: Question): boolean {
  return (
    dimensions.length === 1 &&
    interval === undefined &&
    offset === 0 &&
    order.length > 0 &&
    order.every(({ by }) => by !== 'dimension')
  );
}

/** A question as it was asked, and with what its answer is compared. */
export type AskedQuestion = {
  question: Question;
  comparison: Period | undefined;
  /**
   * The same question about the other period. Undefined when there are dimensions, because only the answer
   * tells which of their rows are compared.
   */
  before: Question | undefined;
};

/** The metrics that need a goal. */
const goalMetrics: readonly string[] = ['conversions', 'conversionRate'] satisfies MetricName[];
const mostMetrics = metricSchema.enum.length;
const readMetric = createReader(metricSchema);
const readDimension = createReader(dimensionSchema);
const readInterval = createReader(intervalSchema);
const readDescending = createReader(orderSchema.properties.descending);
const readLimit = createReader(limitSchema);
const readOffset = createReader(offsetSchema);

/** Reads a question as it was sent. Every fault names the member, what was expected and what was sent. */
export function readQuestion(body: unknown, context: QuestionContext): AskedQuestion {
  const asked = readObject('Question', body, questionSchema);
  const period = readPeriod('period', asked.period ?? '30d', context);
  // A series for each value begins with the rows of the first intervals. The default limit would cut it off
  // after a few of them.
  const rows = asked.interval === undefined ? defaultRows : maxRows;
  const question: Question = {
    period,
    metrics: readFilled('metrics', asked.metrics ?? ['visitors'], mostMetrics, readMetric),
    dimensions: readList('dimensions', asked.dimensions ?? [], maxDimensions, readKey),
    filters: readFilters(asked, context),
    order: readOrder(asked),
    limit: readLimit('limit', asked.limit ?? rows),
    offset: readOffset('offset', asked.offset ?? 0),
    ...(asked.interval !== undefined && { interval: readInterval('interval', asked.interval) }),
    ...(asked.goal !== undefined && { goal: readGoal('goal', asked.goal, context) }),
  };
  checkTogether(question);
  const comparison = readComparison(asked.compare, question, context);
  if (comparison !== undefined && question.interval !== undefined) {
    if (question.dimensions.length > 0)
      throw new QuestionError('compare: expected an interval or dimensions with it, got both');
    // In the year before, a leap day can add a few intervals.
    checkIntervals('compare', question.interval, comparison, 2 * maxIntervals);
  }
  const isOfWhole = comparison !== undefined && question.dimensions.length === 0;
  return { question, comparison, before: isOfWhole ? { ...question, period: comparison } : undefined };
}

function readOrder(asked: Record<string, unknown>): Question['order'] {
  if (asked.order === undefined) {
    // A series is in the order of time, and lists are sorted in descending order.
    if (asked.interval !== undefined) return [];
    const first = Array.isArray(asked.metrics) ? asked.metrics[0] : undefined;
    return [{ by: first === undefined ? 'visitors' : readMetric('metrics[0]', first), descending: true }];
  }
  return readList('order', asked.order, maxOrders, (path, value) => {
    const { by, descending = false } = readObject(path, value, orderSchema);
    const isDescending = readDescending(`${path}.descending`, descending);
    return { by: by === 'dimension' ? by : readMetric(`${path}.by`, by), descending: isDescending };
  });
}

function checkTogether(question: Question): void {
  const { interval, period, dimensions: keys, metrics: asked, goal, order, offset } = question;
  if (interval !== undefined) checkIntervals('interval', interval, period, maxIntervals);
  // These are refused instead of ignored, because the answer would have other rows than asked for. A limit
  // never removes rows from a series.
  if (keys.length === 0 && offset > 0)
    throw new QuestionError(
      `offset: expected only with dimensions, got ${offset}: without them the answer is always complete`,
    );
  if (isSeries(question) && order.length > 0)
    throw new QuestionError(
      'order: expected only with dimensions, got an interval alone: a time series is always in order of time',
    );
  const lists = keys.filter(({ dimension }) => listDimensions.includes(dimension));
  if (lists.length > 1)
    throw new QuestionError(
      `dimensions: expected at most one of ${listDimensions.join(', ')}, got ${lists.length}`,
    );
  if (new Set(keys.map(({ dimension }) => dimension)).size < keys.length)
    throw new QuestionError('dimensions: expected each at most once, got a duplicate');
  const why = goal === undefined ? whyGoal(asked, order) : undefined;
  if (why !== undefined)
    throw new QuestionError(`goal: expected an event or a page, because ${why}, got nothing`);
}

/** Says what needs a goal. Undefined if nothing does. */
function whyGoal(asked: readonly string[], order: Question['order']): string | undefined {
  const metric = asked.find((name) => goalMetrics.includes(name));
  if (metric !== undefined) return `metrics has ${metric}`;
  const at = order.findIndex(({ by }) => goalMetrics.includes(by));
  return at === -1 ? undefined : `order[${at}].by is ${order[at]!.by}`;
}

function checkIntervals(path: string, interval: Interval, period: Period, most: number): void {
  if (countIntervals(interval, period) <= most) return;
  throw new QuestionError(
    `${path}: expected at most ${most} intervals in the period, got more: choose a longer interval`,
  );
}

/** Reads the filters of a question, including those of its segment. */
export function readFilters(
  asked: { filters?: unknown; segment?: unknown },
  { addressRules, segments }: Pick<QuestionContext, 'addressRules' | 'segments'>,
): Filter[] {
  const own = readList('filters', asked.filters ?? [], maxFilters, readFilter);
  const filters = [...readSegment(asked.segment, segments), ...own];
  if (filters.length > maxFilters)
    throw new QuestionError(
      `filters: expected at most ${maxFilters} together with those of the segment, got ${filters.length}`,
    );
  const bytes = filters.reduce((sum, filter) => sum + bytesOf(textsOf(filter)), 0);
  if (bytes > maxFilterBytes)
    throw new QuestionError(
      `filters: expected at most ${maxFilterBytes} bytes of text in total, got ${bytes}`,
    );
  return filters.map((filter) => readAddresses(filter, addressRules));
}

function readSegment(id: unknown, segments: QuestionContext['segments']): readonly Filter[] {
  if (id === undefined) return [];
  const filters = segments?.get(id);
  if (filters !== undefined) return filters;
  throw new QuestionError(
    `segment: expected the id of a segment of this website, got ${shown(id)}`,
    'segment-unknown',
  );
}

function textsOf(filter: Filter): readonly string[] {
  const { of = '' } = filter;
  if ('anyOf' in filter) return [of, ...filter.anyOf];
  if ('contains' in filter) return [of, filter.contains];
  return [of, 'is' in filter ? filter.is : filter.isNot];
}

const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

function readFilter(path: string, value: unknown): Filter {
  const asked = readObject(path, value, filterSchema);
  const key = readKeyOf(path, asked);
  const given = operators.filter((operator) => asked[operator] !== undefined);
  const [operator] = given;
  if (operator === undefined || given.length > 1)
    throw new QuestionError(
      `${path}: expected one of ${operators.join(', ')}, got ${given.length === 0 ? 'none' : given.join(' and ')}`,
    );
  const operand = asked[operator];
  const readWhole = (at: string, text: unknown) => {
    const read = readText(at, text);
    checkCode(at, key.dimension, read);
    return read;
  };
  switch (operator) {
    case 'is':
      return { ...key, is: readWhole(`${path}.is`, operand) };
    case 'isNot':
      return { ...key, isNot: readWhole(`${path}.isNot`, operand) };
    case 'contains':
      // A part of a code doesn't have to be a code.
      return { ...key, contains: readText(`${path}.contains`, operand) };
    case 'anyOf':
      return { ...key, anyOf: readFilled(`${path}.anyOf`, operand, maxValues, readWhole) };
  }
}

/** Reads a dimension by its name alone, or with the name of the parameter whose values are meant. */
export function readKey(path: string, value: unknown): Key {
  if (typeof value === 'string') return { dimension: readDimension(path, value) };
  return readKeyOf(path, readObject(path, value, keySchema));
}

function readKeyOf(path: string, asked: Record<string, unknown>): Key {
  const dimension = readDimension(`${path}.dimension`, asked.dimension);
  if (asked.of === undefined) return { dimension };
  if (!namedDimensions.includes(dimension))
    throw new QuestionError(
      `${path}.of: expected only with ${namedDimensions.join(' or ')}, got ${dimension}`,
    );
  return { dimension, of: readText(`${path}.of`, asked.of) };
}
