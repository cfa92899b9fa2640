import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { columnsFor, countedFor, toConverted } from './counted-for.ts';

const goal = { page: '/thanks' };

test('a list of visitors shows conversions while a goal is chosen', () => {
  assert.deepEqual(countedFor({ goal: undefined }, 'visitors'), { metrics: ['visitors'] });
  assert.deepEqual(countedFor({ goal }, 'events'), { metrics: ['events'] });
  assert.deepEqual(countedFor({ goal }, 'visitors'), {
    metrics: ['conversions', 'conversionRate', 'visitors'],
    goal,
  });
});

test('a full table shows the conversions after its own columns', () => {
  const none = { goal: undefined, filters: [] };
  assert.deepEqual(columnsFor(['visitors', 'visits'], none), ['visitors', 'visits']);
  const columns = ['visitors', 'visits', 'conversions', 'conversionRate'];
  assert.deepEqual(columnsFor(['visitors', 'visits'], { goal, filters: [] }), columns);
});

test('filtered by an event, a full table has no column of zeros', () => {
  const view = { goal: undefined, filters: [{ dimension: 'event', is: 'Signup' } as const] };
  const columns = columnsFor(['visitors', 'visits', 'pageViews', 'bounceRate'], view);
  assert.deepEqual(columns, ['visitors', 'visits', 'events']);
  assert.deepEqual(columnsFor(['events', 'eventsPerVisitor'], view), ['events', 'eventsPerVisitor']);
});

test('a rate has one decimal, and a row without visitors has no rate', () => {
  const format = createFormat({ locale: 'en-US', timeZone: 'UTC' });
  const converted = { conversions: 3, conversionRate: 0.1234 };
  assert.deepEqual(toConverted(converted, format), { value: 3, note: '12.3%' });
  assert.deepEqual(toConverted({ conversions: 0, conversionRate: null }, format), { value: 0, note: '' });
});
