import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualView } from '../view/view.ts';
import { seriesQuestion, totalsQuestion } from './overview-questions.ts';

const period = { from: '2026-11-01', to: '2026-11-07' };

test('the chart asks for all cards at once, so that another card needs no new question', () => {
  const [one, other] = [usualView, { ...usualView, metric: 'bounceRate' as const }];
  assert.deepEqual(seriesQuestion(one, period, 'day'), seriesQuestion(other, period, 'day'));
  assert.deepEqual(seriesQuestion(other, period, 'minute').metrics, ['bounceRate']);
});

test('a comparison is asked for when there is one', () => {
  assert.equal(totalsQuestion(usualView, period).compare, 'previousPeriod');
  assert.equal('compare' in totalsQuestion({ ...usualView, compare: 'none' }, period), false);
});
