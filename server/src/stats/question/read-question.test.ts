import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readQuestion } from './read-question.ts';

const context = { now: { day: '2026-03-10', at: '2026-03-10 14:25:09' }, firstDay: '2026-01-01' };
const comparisonOf = (question: object) => readQuestion(question, context).comparison;

test('sums of today are compared with as much of the other day, by whatever name today is asked for', () => {
  const times = { fromTime: '00:00', toTime: '14:25' };
  const yesterday = { from: '2026-03-09', to: '2026-03-09', ...times };
  for (const period of ['today', '1d', { from: '2026-03-10', to: '2026-03-10' }])
    assert.deepEqual(comparisonOf({ period, compare: 'previousPeriod' }), yesterday);
  const yearBefore = { from: '2025-03-10', to: '2025-03-10', ...times };
  assert.deepEqual(comparisonOf({ period: 'today', compare: 'previousYear' }), yearBefore);
});

test('a series, a day that is over, and days that are asked for are compared with whole days', () => {
  const yesterday = { from: '2026-03-09', to: '2026-03-09' };
  assert.deepEqual(comparisonOf({ period: 'today', interval: 'hour', compare: 'previousPeriod' }), yesterday);
  assert.deepEqual(comparisonOf({ period: 'today', compare: yesterday }), yesterday);
  assert.deepEqual(comparisonOf({ period: 'yesterday', compare: 'previousPeriod' }), {
    from: '2026-03-08',
    to: '2026-03-08',
  });
  assert.deepEqual(comparisonOf({ period: '2d', compare: 'previousPeriod' }), {
    from: '2026-03-07',
    to: '2026-03-08',
  });
});

test('a series ignores a limit, and refuses to leave out or reorder intervals', () => {
  assert.deepEqual(
    readQuestion({ interval: 'day', limit: 5, offset: 0, order: [] }, context).question.order,
    [],
  );
  const refused: [object, RegExp][] = [
    [{ interval: 'day', offset: 1 }, /^offset: expected only with dimensions, got 1: .* always whole$/],
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

test('a comparison lies in days that there can be', () => {
  const period = { from: '1970-01-01', to: '1970-01-02' };
  for (const compare of ['previousPeriod', 'previousYear'])
    assert.throws(
      () => comparisonOf({ period, compare }),
      /^QuestionError: compare: expected days from 1970 on, got 19/,
    );
});
