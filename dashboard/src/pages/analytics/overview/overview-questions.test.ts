import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualView, type View } from '../view/view.ts';
import { seriesQuestion, totalsQuestion } from './overview-questions.ts';

const today = '2026-11-15';
const period = { from: '2026-11-01', to: '2026-11-07' };

test('the chart asks for all cards at once, so that another card needs no new question', () => {
  const [one, other] = [usualView, { ...usualView, metric: 'bounceRate' as const }];
  assert.deepEqual(seriesQuestion(one, period, today, 'day'), seriesQuestion(other, period, today, 'day'));
  assert.deepEqual(seriesQuestion(other, period, today, 'minute').metrics, ['bounceRate']);
});

test('a comparison is asked for when there is one', () => {
  const compare = (view: Partial<View>) => totalsQuestion({ ...usualView, ...view }, period, today).compare;
  assert.equal(compare({ compare: 'none' }), undefined);
  assert.equal(compare({}), 'previousPeriod');
  assert.deepEqual(compare({ period: 'lastMonth' }), { from: '2026-09-01', to: '2026-09-30', soFar: true });
});
