import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualView, type View } from '../view/view.ts';
import { seriesQuestion, totalsQuestion, visitorsQuestion } from './overview-questions.ts';

const today = '2026-11-15';
const period = { from: '2026-11-01', to: '2026-11-07' };

test('asks for all cards at once, so that another card needs no new question', () => {
  const [one, other] = [usualView, { ...usualView, metric: 'bounceRate' as const }];
  assert.deepEqual(seriesQuestion(one, period, today, 'day'), seriesQuestion(other, period, today, 'day'));
  assert.deepEqual(seriesQuestion(other, period, today, 'minute').metrics, ['bounceRate']);
});

test('asks for a comparison only when there is one', () => {
  const compare = (view: Partial<View>) => totalsQuestion({ ...usualView, ...view }, period, today).compare;
  assert.equal(compare({ compare: 'none' }), undefined);
  assert.equal(compare({}), 'previousPeriod');
  assert.deepEqual(compare({ period: 'lastMonth' }), { from: '2026-09-01', to: '2026-09-30', soFar: true });
});

test('asks for the conversions of a chosen goal, whatever the filters', () => {
  const goal = { page: '/thanks' };
  const view: View = { ...usualView, goal, filters: [{ dimension: 'event', is: 'Signup' }] };
  const asked = { metrics: ['visitors', 'visits', 'conversions', 'conversionRate'], goal };
  const { metrics, goal: askedGoal } = seriesQuestion(view, period, today, 'day');
  assert.deepEqual({ metrics, goal: askedGoal }, asked);
  assert.equal(visitorsQuestion(view, period, today), undefined);
});

test('filtered by an event, asks only for meaningful metrics, and for all visitors to get the rate', () => {
  const country = { dimension: 'country', is: 'DE' } as const;
  const view: View = { ...usualView, filters: [country, { dimension: 'event', is: 'Signup' }] };
  assert.deepEqual(totalsQuestion(view, period, today).metrics, ['visitors', 'visits', 'events']);
  const { filters, metrics } = visitorsQuestion(view, period, today, 'day') ?? {};
  assert.deepEqual([filters, metrics], [[country], ['visitors']]);
  assert.equal(visitorsQuestion({ ...usualView, filters: [country] }, period, today), undefined);
  const others: View = { ...usualView, filters: [{ dimension: 'event', isNot: 'Signup' }] };
  assert.ok(totalsQuestion(others, period, today).metrics?.includes('pageViews'));
});
