import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNames } from '#format/names.ts';
import { describeFilter } from './describe-filter.ts';

const names = createNames('en-GB');

test('says a filter in words', () => {
  assert.deepEqual(describeFilter({ dimension: 'country', is: 'DE' }, names), {
    name: 'Country',
    operator: 'is',
    value: 'Germany',
  });
  assert.deepEqual(describeFilter({ dimension: 'source', isNot: '' }, names), {
    name: 'Source',
    operator: 'is not',
    value: 'Direct',
  });
  assert.deepEqual(describeFilter({ dimension: 'country', anyOf: ['DE', 'AT'] }, names), {
    name: 'Country',
    operator: 'is any of',
    value: 'Germany, Austria',
  });
});

test('a parameter is called by its own name', () => {
  assert.deepEqual(describeFilter({ dimension: 'parameterValue', of: 'plan', contains: 'pro' }, names), {
    name: 'plan',
    operator: 'contains',
    value: 'pro',
  });
});
