import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { hasSameFilters } from './has-same-filters.ts';

const germany: Filter = { dimension: 'country', is: 'DE' };
const pro: Filter = { dimension: 'parameterValue', of: 'plan', is: 'pro' };

test('a segment is recognized by its filters, in any order', () => {
  assert.ok(hasSameFilters([germany, pro], [pro, { ...germany }]));
  assert.ok(hasSameFilters([], []));
});

test('other filters, more of them and fewer of them are not the segment', () => {
  assert.ok(!hasSameFilters([germany], [{ dimension: 'country', isNot: 'DE' }]));
  assert.ok(!hasSameFilters([germany], [germany, pro]));
  assert.ok(!hasSameFilters([germany, pro], [germany]));
  assert.ok(!hasSameFilters([germany, germany], [germany, pro]));
  assert.ok(!hasSameFilters([pro], [{ ...pro, of: 'size' }]));
});
