import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import {
  addFilter,
  filteredValues,
  hasFilter,
  removeFilter,
  replaceFilter,
  toFilter,
  toggleFilter,
} from './filters.ts';

const germany: Filter = { dimension: 'country', is: 'DE' };
const austria: Filter = { dimension: 'country', is: 'AT' };
const notAustria: Filter = { dimension: 'country', isNot: 'AT' };
const firefox: Filter = { dimension: 'browser', is: 'Firefox' };

test('another value of the same dimension replaces the first', () => {
  assert.deepEqual(addFilter([germany, firefox], austria), [austria, firefox]);
  assert.deepEqual(addFilter([germany], notAustria), [germany, notAustria]);
  assert.deepEqual(addFilter([germany], { ...germany }), [germany], 'the same one twice');
});

test('values of different parameters are kept side by side', () => {
  const pro: Filter = { dimension: 'parameterValue', of: 'plan', is: 'pro' };
  const euro: Filter = { dimension: 'parameterValue', of: 'currency', is: 'EUR' };
  assert.deepEqual(addFilter([pro], euro), [pro, euro]);
});

test('accepts the letter x in a screen size', () => {
  const key = { dimension: 'screenSize' } as const;
  assert.deepEqual(toFilter(key, 'is', ['1920 x 1080']), { ...key, is: '1920×1080' });
  assert.deepEqual(toFilter(key, 'anyOf', ['390×844', '1X2']), { ...key, anyOf: ['390×844', '1×2'] });
});

test('finds, removes and replaces filters by what they say', () => {
  assert.equal(hasFilter([germany], { ...germany }), true);
  assert.equal(hasFilter([germany], austria), false);
  assert.deepEqual(removeFilter([germany, firefox], { ...germany }), [firefox]);
  assert.deepEqual(replaceFilter([germany, firefox], germany, notAustria), [notAustria, firefox]);
  assert.deepEqual(replaceFilter([firefox], germany, austria), [firefox, austria], 'removed meanwhile');
  assert.deepEqual(replaceFilter([germany, firefox], germany, firefox), [firefox], 'no filter twice');
});

const country = { dimension: 'country' } as const;
const plan = { dimension: 'parameterValue', of: 'plan' } as const;

test('filters by the value of a row, and removes the filter when it is pressed again', () => {
  const once = toggleFilter([], country, 'DE');
  assert.deepEqual(once, [{ dimension: 'country', is: 'DE' }]);
  assert.deepEqual(toggleFilter(once, country, 'DE'), []);
});

test('removes one of several values, and keeps the others', () => {
  const filters = [{ dimension: 'country', anyOf: ['DE', 'AT'] }] as const;
  assert.deepEqual(toggleFilter(filters, country, 'DE'), [{ dimension: 'country', anyOf: ['AT'] }]);
  assert.deepEqual(toggleFilter([{ ...country, anyOf: ['DE'] }], country, 'DE'), []);
});

test('keeps filters of other dimensions and other parameters', () => {
  const others = [
    { dimension: 'source', is: 'DE' },
    { dimension: 'parameterValue', of: 'coupon', is: 'pro' },
  ] as const;
  const filters = [...others, { ...plan, is: 'pro' }];
  assert.deepEqual(toggleFilter(filters, plan, 'pro'), others);
});

test('does not mistake an excluded or partial value for a selected one', () => {
  const filters = [
    { dimension: 'country', isNot: 'AT' },
    { dimension: 'country', contains: 'D' },
  ] as const;
  assert.deepEqual(filteredValues(filters, country), []);
  assert.deepEqual(filteredValues([{ ...country, anyOf: ['DE', 'CH'] }, ...filters], country), ['DE', 'CH']);
});

test('handles the empty value, because a direct visit has no source', () => {
  const direct = toggleFilter([], { dimension: 'source' }, '');
  assert.deepEqual(direct, [{ dimension: 'source', is: '' }]);
  assert.deepEqual(filteredValues(direct, { dimension: 'source' }), ['']);
});
