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
    ...{ from: '2026-03-08', to: '2026-03-08' },
  });
  assert.deepEqual(comparisonOf({ period: '2d', compare: 'previousPeriod' }), {
    ...{ from: '2026-03-07', to: '2026-03-08' },
  });
});
