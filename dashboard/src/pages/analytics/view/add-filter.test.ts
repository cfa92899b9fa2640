import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { addFilter, hasFilter, removeFilter, replaceFilter } from './add-filter.ts';

const germany: Filter = { dimension: 'country', is: 'DE' };
const austria: Filter = { dimension: 'country', is: 'AT' };
const notAustria: Filter = { dimension: 'country', isNot: 'AT' };
const firefox: Filter = { dimension: 'browser', is: 'Firefox' };

test('another value of the same takes the place of the first', () => {
  assert.deepEqual(addFilter([germany, firefox], austria), [austria, firefox]);
  assert.deepEqual(addFilter([germany], notAustria), [germany, notAustria]);
  assert.deepEqual(addFilter([germany], { ...germany }), [germany], 'the same one twice');
});

test('values of different parameters stand beside each other', () => {
  const pro: Filter = { dimension: 'parameterValue', of: 'plan', is: 'pro' };
  const euro: Filter = { dimension: 'parameterValue', of: 'currency', is: 'EUR' };
  assert.deepEqual(addFilter([pro], euro), [pro, euro]);
});

test('finds, removes and replaces by what a filter says', () => {
  assert.equal(hasFilter([germany], { ...germany }), true);
  assert.equal(hasFilter([germany], austria), false);
  assert.deepEqual(removeFilter([germany, firefox], { ...germany }), [firefox]);
  assert.deepEqual(replaceFilter([germany, firefox], germany, notAustria), [notAustria, firefox]);
  assert.deepEqual(replaceFilter([firefox], germany, austria), [firefox, austria], 'removed meanwhile');
  assert.deepEqual(replaceFilter([germany, firefox], germany, firefox), [firefox], 'no filter twice');
});
