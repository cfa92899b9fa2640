import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answers } from '@trackside/contract/stats/answers.ts';
import { addConversionRate } from './add-conversion-rate.ts';

const answer = (rows: Answers['query']['rows']): Answers['query'] => ({
  website: 'shop.test',
  timezone: 'UTC',
  asOf: '2026-11-15T12:00:00.000Z',
  period: { from: '2026-11-14', to: '2026-11-15' },
  totalRows: rows.length,
  answeredFrom: 'visits',
  rows,
});
const row = (now: number, before?: number | null) => ({
  dimensions: {},
  metrics: { visitors: now },
  ...(before !== undefined && { comparison: before === null ? null : { visitors: before } }),
});

test('the rate is the share of all visitors, now and before', () => {
  const { rows } = addConversionRate(answer([row(3, 1)]), answer([row(60, 50)]));
  assert.deepEqual(rows[0]?.metrics, { visitors: 3, conversionRate: 0.05 });
  assert.deepEqual(rows[0]?.comparison, { visitors: 1, conversionRate: 0.02 });
});

test('has no rate without visitors, and none for a missing comparison', () => {
  const { rows } = addConversionRate(answer([row(0), row(1, null)]), answer([row(0), row(4, null)]));
  assert.equal(rows[0]?.metrics.conversionRate, null);
  assert.equal(rows[0]?.comparison, undefined);
  assert.equal(rows[1]?.metrics.conversionRate, 0.25);
  assert.equal(rows[1]?.comparison, null);
});
