import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNames } from '#format/names.ts';
import { scopeOf } from '../../overview/overview-questions.ts';
import { usualView } from '../../view/view.ts';
import { detailsQuestion, nextOrder, searchFilter } from './details-question.ts';

const today = '2026-11-16';
const names = createNames('en-GB');
const order = { by: 'visitors', descending: true } as const;
const pages = { key: { dimension: 'page' }, metrics: ['visitors', 'visits'] } as const;

test('asks for one page, within the filters of the view', () => {
  const view = { ...usualView, compare: 'none', filters: [{ dimension: 'country', is: 'DE' }] } as const;
  assert.deepEqual(detailsQuestion(pages, { search: '', order, page: 2 }, view, 'all', names, today), {
    period: 'all',
    filters: [{ dimension: 'country', is: 'DE' }],
    metrics: ['visitors', 'visits'],
    dimensions: ['page'],
    order: [order, { by: 'dimension', descending: false }],
    limit: 50,
    offset: 100,
  });
});

test('compares with the same period as the cards', () => {
  const period = { from: '2026-11-10', to: '2026-11-10' };
  const view = { ...usualView, period, compare: 'previousYear' } as const;
  const question = detailsQuestion(pages, { search: '', order, page: 0 }, view, period, names, today);
  assert.deepEqual(question.compare, scopeOf(view, period, today).compare);
  assert.notEqual(question.compare, undefined);
});

test('searches texts for what was typed, without surrounding spaces', () => {
  assert.deepEqual(searchFilter({ dimension: 'page' }, ' pri ', names), [
    { dimension: 'page', contains: 'pri' },
  ]);
  const plan = { dimension: 'parameterValue', of: 'plan' } as const;
  assert.deepEqual(searchFilter(plan, 'pro', names), [{ ...plan, contains: 'pro' }]);
  assert.deepEqual(searchFilter(plan, '  ', names), []);
});

test('searches codes by the names that are shown', () => {
  assert.deepEqual(searchFilter({ dimension: 'country' }, 'germ', names), [
    { dimension: 'country', anyOf: ['DE'] },
  ]);
  assert.deepEqual(searchFilter({ dimension: 'country' }, 'xyzzy', names), [
    { dimension: 'country', contains: 'xyzzy' },
  ]);
});

test('never sends more values than a filter accepts', () => {
  const [filter] = searchFilter({ dimension: 'country' }, 'a', names);
  assert.ok(filter !== undefined && 'anyOf' in filter && filter.anyOf.length <= 200);
});

test('sorts by the pressed column, and reverses the order when it is pressed again', () => {
  assert.deepEqual(nextOrder(order, 'visits'), { by: 'visits', descending: true });
  assert.deepEqual(nextOrder(order, 'visitors'), { by: 'visitors', descending: false });
  assert.deepEqual(nextOrder(order, 'dimension'), { by: 'dimension', descending: false });
});
