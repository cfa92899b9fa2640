import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toTable } from './to-table.ts';

test('has a column for each dimension, each metric and its comparison', () => {
  const rows = [
    {
      dimensions: { page: '/' },
      metrics: { visitors: 2, bounceRate: null },
      comparison: { visitors: 1, bounceRate: 0.5 },
    },
  ];
  const dimensions = [{ dimension: 'page' }];
  const asked = { dimensions, metrics: ['visitors', 'bounceRate'], compare: 'previousPeriod' };
  const header = ['page', 'visitors', 'bounceRate', 'visitors before', 'bounceRate before'];
  assert.deepEqual(toTable({ rows }, asked), { header, rows: [['/', 2, null, 1, 0.5]] });
  assert.deepEqual(toTable({ rows: [] }, asked), { header, rows: [] });
});

test('leaves out what was not asked for', () => {
  assert.deepEqual(toTable({ rows: [{ dimensions: {}, metrics: { visitors: 3 } }] }, {}), {
    header: ['visitors'],
    rows: [[3]],
  });
});

test('a series has the time that each interval is compared with, and nothing where there is none', () => {
  const row = { dimensions: {}, metrics: { visitors: 2 } };
  const rows = [
    { ...row, time: '2026-03-28', comparisonTime: '2026-02-28', comparison: { visitors: 1 } },
    { ...row, time: '2026-03-29', comparison: null },
  ];
  assert.deepEqual(toTable({ rows }, { interval: 'day', compare: 'lastMonth' }), {
    header: ['time', 'visitors', 'time before', 'visitors before'],
    rows: [
      ['2026-03-28', 2, '2026-02-28', 1],
      ['2026-03-29', 2, '', null],
    ],
  });
});
