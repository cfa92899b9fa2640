import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { minuteMs } from '@trackside/contract/calendar/minute.ts';
import { channelNames } from '@trackside/contract/stats/channels.ts';
import { QuestionError } from './question-error.ts';
import { readQuestion } from './read-question.ts';

const localTime = createLocalTime('UTC');
const minutesAgo = (minutes: number) => localTime(Date.parse('2026-03-10T14:25:09Z') - minutes * minuteMs);
const context = { now: minutesAgo(0), minutesAgo, firstDay: '2026-01-01' };
const channels = Object.keys(channelNames);
const comparisonOf = (question: object) => readQuestion(question, context).comparison;

test('compares totals of today with the same part of the other day, whatever today is called', () => {
  const times = { fromTime: '00:00', toTime: '14:25' };
  const yesterday = { from: '2026-03-09', to: '2026-03-09', ...times };
  for (const period of ['today', '1d', { from: '2026-03-10', to: '2026-03-10' }])
    assert.deepEqual(comparisonOf({ period, compare: 'previousPeriod' }), yesterday);
  const yearBefore = { from: '2025-03-10', to: '2025-03-10', ...times };
  assert.deepEqual(comparisonOf({ period: 'today', compare: 'previousYear' }), yearBefore);
});

test('compares a series, a past day, and days given by the question with whole days', () => {
  const yesterday = { from: '2026-03-09', to: '2026-03-09' };
  assert.deepEqual(comparisonOf({ period: 'today', interval: 'hour', compare: 'previousPeriod' }), yesterday);
  assert.deepEqual(comparisonOf({ period: 'today', compare: yesterday }), yesterday);
  assert.deepEqual(comparisonOf({ period: 'yesterday', compare: 'previousPeriod' }), {
    from: '2026-03-08',
    to: '2026-03-08',
  });
});

test('compares totals of days up to today up to the same time of the last day', () => {
  const times = { fromTime: '00:00', toTime: '14:20' };
  const weekBefore = { from: '2026-02-25', to: '2026-03-03' };
  assert.deepEqual(comparisonOf({ period: '7d', compare: 'previousPeriod' }), { ...weekBefore, ...times });
  assert.deepEqual(comparisonOf({ period: '7d', interval: 'day', compare: 'previousPeriod' }), weekBefore);
  assert.deepEqual(comparisonOf({ period: '7d', compare: 'previousYear' }), {
    from: '2025-03-04',
    to: '2025-03-10',
    ...times,
  });
});

test('matches weekdays by going back whole weeks, up to the same point of today', () => {
  const times = { fromTime: '00:00', toTime: '14:20' };
  const compared = (period: unknown) => comparisonOf({ period, compare: 'sameWeekdays' });
  assert.deepEqual(compared('today'), { from: '2026-03-03', to: '2026-03-03', ...times, toTime: '14:25' });
  assert.deepEqual(compared('30d'), { from: '2026-01-05', to: '2026-02-03', ...times });
  assert.deepEqual(compared('yesterday'), { from: '2026-03-02', to: '2026-03-02' });
  const minutes = { from: '2026-03-09T10:00', to: '2026-03-09T10:59' };
  assert.deepEqual(compared(minutes), {
    from: '2026-03-02',
    to: '2026-03-02',
    fromTime: '10:00',
    toTime: '10:59',
  });
});

test('compares given days up to the point that the period has reached, if asked to', () => {
  const february = { from: '2026-02-01', to: '2026-02-10' };
  const compared = (compare: unknown, more = {}) => comparisonOf({ period: 'thisMonth', compare, ...more });
  assert.deepEqual(compared({ ...february, soFar: true }), {
    ...february,
    fromTime: '00:00',
    toTime: '14:20',
  });
  assert.deepEqual(compared({ ...february, soFar: false }), february);
  assert.deepEqual(compared({ ...february, soFar: true }, { interval: 'day' }), february);
  const short = { from: '2026-02-01', to: '2026-02-05' };
  assert.deepEqual(compared({ ...short, soFar: true }), short, 'there is no tenth day');
  assert.throws(() => compared({ ...february, soFar: 'yes' }), /^QuestionError: compare\.soFar: expected/);
});

test('periods of hours, quarters and whole months have names', () => {
  const periodOf = (period: string) => readQuestion({ period }, context).question.period;
  assert.deepEqual(periodOf('24h'), {
    from: '2026-03-09',
    to: '2026-03-10',
    fromTime: '14:26',
    toTime: '14:25',
  });
  assert.deepEqual(periodOf('thisQuarter'), { from: '2026-01-01', to: '2026-03-10' });
  assert.deepEqual(periodOf('12m'), { from: '2025-03-01', to: '2026-02-28' });
});

test('compares a period with any other one, also by its name', () => {
  const withPeriod = (compare: unknown) => comparisonOf({ period: 'thisMonth', compare });
  assert.deepEqual(withPeriod('yesterday'), { from: '2026-03-09', to: '2026-03-09' });
  assert.deepEqual(withPeriod('30d'), { from: '2026-02-09', to: '2026-03-10' });
  assert.deepEqual(withPeriod('lastMonth'), { from: '2026-02-01', to: '2026-02-28' });
  assert.deepEqual(withPeriod('all'), { from: '2026-01-01', to: '2026-03-10' });
  assert.deepEqual(withPeriod({ from: '2025-12-24', to: '2025-12-26' }), {
    from: '2025-12-24',
    to: '2025-12-26',
  });
  assert.throws(() => withPeriod('lastWeek'), {
    name: 'QuestionError',
    message:
      /^compare: expected previousPeriod, sameWeekdays, previousYear, 24h, today, .*a number of days such as 30d.*"lastWeek"$/,
  });
  const today = { period: 'today', compare: 'yesterday' };
  assert.deepEqual(comparisonOf(today), comparisonOf({ period: 'today', compare: 'previousPeriod' }));
  assert.deepEqual(comparisonOf({ period: 'today', compare: 'lastMonth' }), withPeriod('lastMonth'));
  assert.deepEqual(comparisonOf({ ...today, interval: 'hour' }), withPeriod('yesterday'));
});

test('compares a period that ends in the future up to the point that it has reached', () => {
  const compared = (from: string, to: string, compare = 'previousPeriod') =>
    comparisonOf({ period: { from, to }, compare });
  const times = { fromTime: '00:00', toTime: '14:25' };
  const ofLong = { fromTime: '00:00', toTime: '14:20' };
  assert.deepEqual(compared('2026-03-10', '2026-03-16'), { from: '2026-03-03', to: '2026-03-03', ...times });
  assert.deepEqual(compared('2026-03-10', '2026-03-16', 'previousYear'), {
    from: '2025-03-10',
    to: '2025-03-10',
    ...times,
  });
  assert.deepEqual(compared('2026-03-01', '2026-03-31'), {
    from: '2026-01-29',
    to: '2026-02-07',
    ...ofLong,
  });
  assert.deepEqual(compared('2026-03-01', '2026-03-31', 'previousYear'), {
    from: '2025-03-01',
    to: '2025-03-10',
    ...ofLong,
  });
  assert.deepEqual(compared('2026-03-11', '2026-03-12'), { from: '2026-03-09', to: '2026-03-10' });
  assert.deepEqual(compared('2026-03-10T14:00', '2026-03-10T14:59'), {
    from: '2026-03-10',
    to: '2026-03-10',
    fromTime: '13:00',
    toTime: '13:25',
  });
  assert.deepEqual(compared('2026-03-10T14:00', '2026-03-11T14:59', 'previousYear'), {
    from: '2025-03-10',
    to: '2025-03-10',
    fromTime: '14:00',
    toTime: '14:25',
  });
  const series = { period: { from: '2026-03-01', to: '2026-03-31' }, interval: 'day' };
  assert.deepEqual(comparisonOf({ ...series, compare: 'previousPeriod' }), {
    from: '2026-01-29',
    to: '2026-02-28',
  });
});

test('refuses values that no record can have, and says what is expected', () => {
  const refused: [filter: object, message: string][] = [
    [{ dimension: 'country', is: 'de' }, 'is: expected an ISO 3166-1 code in uppercase such as DE'],
    [{ dimension: 'country', is: 'UK' }, 'is: expected an ISO 3166-1 code in uppercase such as DE'],
    [{ dimension: 'country', isNot: 'Germany' }, 'isNot: expected an ISO 3166-1 code'],
    [{ dimension: 'country', anyOf: ['DE', 'at'] }, 'anyOf[1]: expected an ISO 3166-1 code'],
    [{ dimension: 'continent', is: 'Europe' }, 'is: expected one of AF, NA, OC, AN, AS, EU, SA, or an empty'],
    [{ dimension: 'language', is: 'de-DE' }, 'is: expected an ISO 639-1 code in lowercase such as de'],
    [{ dimension: 'language', is: 'DE' }, 'is: expected an ISO 639-1 code in lowercase such as de'],
    [{ dimension: 'hour', is: '9' }, 'is: expected two digits from 00 to 23, got "9"'],
    [{ dimension: 'hour', is: '24' }, 'is: expected two digits from 00 to 23, got "24"'],
    [{ dimension: 'weekday', is: '0' }, 'is: expected a digit from 1 (Monday) to 7, got "0"'],
    [{ dimension: 'weekday', is: 'Monday' }, 'is: expected a digit from 1 (Monday) to 7, got "Monday"'],
    [{ dimension: 'device', is: 'Mobile' }, 'is: expected one of desktop, mobile, tablet, '],
    [{ dimension: 'channel', is: 'Organic' }, `is: expected one of ${channels.join(', ')}, or an empty`],
    [
      { dimension: 'visitorType', is: 'New' },
      'is: expected one of new, returning, or an empty string for none',
    ],
    [{ dimension: 'screenSize', is: '1920x1080' }, 'is: expected width × height such as 1920×1080'],
    [{ dimension: 'city', anyOf: [] }, 'anyOf: expected 1 to 200 elements, got none'],
  ];
  for (const [filter, message] of refused) {
    assert.throws(
      () => readQuestion({ filters: [filter] }, context),
      (error) => error instanceof QuestionError && error.message.startsWith(`filters[0].${message}`),
      JSON.stringify(filter),
    );
  }
  const valid = [
    { dimension: 'country', anyOf: ['DE', 'XK', ''] },
    { dimension: 'country', contains: 'd' },
    { dimension: 'continent', isNot: 'EU' },
    { dimension: 'language', is: 'de' },
    { dimension: 'hour', anyOf: ['00', '23'] },
    { dimension: 'weekday', is: '7' },
    ...channels.map((channel) => ({ dimension: 'channel', is: channel })),
    { dimension: 'visitorType', anyOf: ['returning', ''] },
    { dimension: 'screenSize', is: '390×844' },
    { dimension: 'city', is: 'anything' },
  ];
  for (const filter of valid)
    assert.deepEqual(readQuestion({ filters: [filter] }, context).question.filters, [filter]);
});

test('a question asks for at least one metric', () => {
  assert.throws(() => readQuestion({ metrics: [] }, context), {
    name: 'QuestionError',
    message: 'metrics: expected 1 to 10 elements, got none',
  });
  assert.deepEqual(readQuestion({}, context).question.metrics, ['visitors']);
});

test('a series ignores a limit, and refuses to leave out or reorder intervals', () => {
  assert.deepEqual(
    readQuestion({ interval: 'day', limit: 5, offset: 0, order: [] }, context).question.order,
    [],
  );
  const refused: [object, RegExp][] = [
    [{ interval: 'day', offset: 1 }, /^offset: expected only with dimensions, got 1: .* always complete$/],
    [{ offset: 1 }, /^offset: expected only with dimensions, got 1/],
    [
      { interval: 'day', order: [{ by: 'visitors' }] },
      /^order: expected only with dimensions, .* order of time$/,
    ],
  ];
  for (const [question, message] of refused)
    assert.throws(() => readQuestion(question, context), { name: 'QuestionError', message });
  const list = { dimensions: ['page'], offset: 1, order: [{ by: 'visits' }] };
  assert.equal(readQuestion(list, context).question.limit, 100);
  assert.equal(readQuestion({ ...list, interval: 'day' }, context).question.limit, 10_000);
});

test('refuses a comparison with days that cannot exist', () => {
  const period = { from: '1970-01-01', to: '1970-01-02' };
  for (const compare of ['previousPeriod', 'previousYear'])
    assert.throws(
      () => comparisonOf({ period, compare }),
      /^QuestionError: compare: expected days in 1970 or later, got 19/,
    );
});
