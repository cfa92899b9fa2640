import { countIntervals, type Interval } from '@trackside/contract/calendar/intervals.ts';
import { type Period, untilNow } from '@trackside/contract/calendar/period.ts';
import { listDimensions } from '@trackside/contract/stats/dimensions.ts';
import {
  defaultRows,
  maxDimensions,
  maxIntervals,
  maxOrders,
  maxRows,
} from '@trackside/contract/stats/limits.ts';
import {
  intervalSchema,
  limitSchema,
  metricSchema,
  offsetSchema,
  orderSchema,
  questionSchema,
} from '@trackside/contract/stats/questions.ts';
import { isSeries, type Question } from './question.ts';
import { QuestionError } from './question-error.ts';
import { readFilters, readKey } from './read-filters.ts';
import { type QuestionContext, readComparison, readPeriod } from './read-period.ts';
import { createReader, readList, readObject, readText } from './read-value.ts';

export type AskedQuestion = { question: Question; comparison: Period | undefined };

const mostMetrics = metricSchema.enum.length;
const readMetric = createReader(metricSchema);
const readInterval = createReader(intervalSchema);
const readDescending = createReader(orderSchema.properties.descending);
const readLimit = createReader(limitSchema);
const readOffset = createReader(offsetSchema);

/** Reads a question as it was sent. Every fault names the member, what was expected and what came. */
export function readQuestion(body: unknown, context: QuestionContext): AskedQuestion {
  const asked = readObject('Question', body, questionSchema);
  const period = readPeriod('period', asked.period ?? '30d', context);
  // A series for each value begins with the rows of the first intervals. The default limit would cut it off
  // after a few of them.
  const rows = asked.interval === undefined ? defaultRows : maxRows;
  const question: Question = {
    period,
    metrics: readList('metrics', asked.metrics ?? ['visitors'], mostMetrics, readMetric),
    dimensions: readList('dimensions', asked.dimensions ?? [], maxDimensions, readKey),
    filters: readFilters(asked.filters),
    order: readOrder(asked),
    limit: readLimit('limit', asked.limit ?? rows),
    offset: readOffset('offset', asked.offset ?? 0),
    ...(asked.interval !== undefined && { interval: readInterval('interval', asked.interval) }),
    ...(asked.goal !== undefined && { goal: readGoal(asked.goal) }),
  };
  checkTogether(question);
  const whole = readComparison(asked.compare, period, context);
  const isOfToday = period.from === context.now.day && period.fromTime === undefined;
  // A series shows the whole day that today is compared with. Totals of today, which goes on, are compared
  // with the same part of that day.
  const comparison =
    whole !== undefined && isOfToday && question.interval === undefined && typeof asked.compare === 'string'
      ? untilNow(whole, context.now)
      : whole;
  if (comparison !== undefined && question.interval !== undefined) {
    if (question.dimensions.length > 0)
      throw new QuestionError('compare: expected with an interval or with dimensions, got it with both');
    // In the year before, a leap day can add a few intervals.
    checkIntervals('compare', question.interval, comparison, 2 * maxIntervals);
  }
  return { question, comparison };
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

function readGoal(value: unknown): string {
  const goal = readText('goal', value);
  if (goal === '') throw new QuestionError('goal: expected the name of an event, got an empty text');
  return goal;
}

function checkTogether(question: Question): void {
  const { interval, period, dimensions: keys, metrics: asked, goal, order, offset } = question;
  if (interval !== undefined) checkIntervals('interval', interval, period, maxIntervals);
  // These are refused instead of ignored, because the answer would have other rows than asked for. A limit
  // never removes rows from a series.
  if (keys.length === 0 && offset > 0)
    throw new QuestionError(
      `offset: expected only with dimensions, got ${offset}: without them the answer is always whole`,
    );
  if (isSeries(question) && order.length > 0)
    throw new QuestionError(
      'order: expected only with dimensions, got it with an interval alone: a series is in the order of time',
    );
  const lists = keys.filter(({ dimension }) => listDimensions.includes(dimension));
  if (lists.length > 1)
    throw new QuestionError(
      `dimensions: expected at most one of ${listDimensions.join(', ')}, got ${lists.length}`,
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
