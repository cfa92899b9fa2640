import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toTable } from './to-table.ts';

test('has a column for the time, each dimension, each metric and its comparison', () => {
  const rows = [
    {
      time: '2026-03-01',
      dimensions: { page: '/' },
      metrics: { visitors: 2, bounceRate: null },
      comparison: { visitors: 1, bounceRate: 0.5 },
    },
  ];
  const dimensions = [{ dimension: 'page' }];
  const asked = {
    interval: 'day',
    dimensions,
    metrics: ['visitors', 'bounceRate'],
    compare: 'previousPeriod',
  };
  const header = ['time', 'page', 'visitors', 'bounceRate', 'visitors before', 'bounceRate before'];
  assert.deepEqual(toTable({ rows }, asked), { header, rows: [['2026-03-01', '/', 2, null, 1, 0.5]] });
  assert.deepEqual(toTable({ rows: [] }, asked), { header, rows: [] });
});

test('leaves out what was not asked for', () => {
  assert.deepEqual(toTable({ rows: [{ dimensions: {}, metrics: { visitors: 3 } }] }, {}), {
    header: ['visitors'],
    rows: [[3]],
  });
});
