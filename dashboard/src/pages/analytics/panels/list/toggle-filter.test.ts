import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filteredValues, toggleFilter } from './toggle-filter.ts';

const country = { dimension: 'country' } as const;
const plan = { dimension: 'parameterValue', of: 'plan' } as const;

test('filters by the value of a row, and no more when it is pressed again', () => {
  const once = toggleFilter([], country, 'DE');
  assert.deepEqual(once, [{ dimension: 'country', is: 'DE' }]);
  assert.deepEqual(toggleFilter(once, country, 'DE'), []);
});

test('takes a value out of several, and leaves the others', () => {
  const filters = [{ dimension: 'country', anyOf: ['DE', 'AT'] }] as const;
  assert.deepEqual(toggleFilter(filters, country, 'DE'), [{ dimension: 'country', anyOf: ['AT'] }]);
  assert.deepEqual(toggleFilter([{ ...country, anyOf: ['DE'] }], country, 'DE'), []);
});

test('leaves filters of other dimensions, and of other parameters', () => {
  const others = [
    { dimension: 'source', is: 'DE' },
    { dimension: 'parameterValue', of: 'coupon', is: 'pro' },
  ] as const;
  const filters = [...others, { ...plan, is: 'pro' }];
  assert.deepEqual(toggleFilter(filters, plan, 'pro'), others);
});

test('does not take a value that is excluded, or that others contain, for one that is filtered by', () => {
  const filters = [
    { dimension: 'country', isNot: 'AT' },
    { dimension: 'country', contains: 'D' },
  ] as const;
  assert.deepEqual(filteredValues(filters, country), []);
  assert.deepEqual(filteredValues([{ ...country, anyOf: ['DE', 'CH'] }, ...filters], country), ['DE', 'CH']);
});

test('knows the empty value: a direct visit has no source', () => {
  const direct = toggleFilter([], { dimension: 'source' }, '');
  assert.deepEqual(direct, [{ dimension: 'source', is: '' }]);
  assert.deepEqual(filteredValues(direct, { dimension: 'source' }), ['']);
});
