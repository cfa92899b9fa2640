import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { hasSameFilters } from './has-same-filters.ts';

const germany: Filter = { dimension: 'country', is: 'DE' };
const pro: Filter = { dimension: 'parameterValue', of: 'plan', is: 'pro' };

test('recognizes a segment by its filters, in any order', () => {
  assert.ok(hasSameFilters([germany, pro], [pro, { ...germany }]));
  assert.ok(hasSameFilters([], []));
});

test('does not take other, more or fewer filters for the segment', () => {
  assert.ok(!hasSameFilters([germany], [{ dimension: 'country', isNot: 'DE' }]));
  assert.ok(!hasSameFilters([germany], [germany, pro]));
  assert.ok(!hasSameFilters([germany, pro], [germany]));
  assert.ok(!hasSameFilters([germany, germany], [germany, pro]));
  assert.ok(!hasSameFilters([pro], [{ ...pro, of: 'size' }]));
});
