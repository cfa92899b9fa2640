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

test('has the names that the pages show', () => {
  const row = (source: string, country: string) => ({
    dimensions: { source, country },
    metrics: { visits: 1 },
  });
  const rows = [row('', 'DE'), row('xn--mller-kva.example', ''), row('Google', 'XK')];
  assert.deepEqual(toTable({ rows }, { dimensions: ['source', 'country'], metrics: ['visits'] }), {
    header: ['source', 'country', 'country name', 'visits'],
    rows: [
      ['Direct', 'DE', 'Germany', 1],
      ['müller.example', '', 'Unknown', 1],
      ['Google', 'XK', 'Kosovo', 1],
    ],
  });
  const names = (dimension: string, value: string) =>
    toTable(
      { rows: [{ dimensions: { [dimension]: value }, metrics: {} }] },
      { dimensions: [dimension], metrics: [] },
    ).rows[0];
  assert.deepEqual(names('channel', 'search'), ['search', 'Organic search']);
  assert.deepEqual(names('device', 'mobile'), ['mobile', 'Phone']);
  assert.deepEqual(names('language', 'de'), ['de', 'German']);
  assert.deepEqual(names('weekday', '1'), ['1', 'Monday']);
  assert.deepEqual(names('parameterValue', ''), ['Empty']);
  assert.deepEqual(names('city', ''), ['Unknown']);
  assert.deepEqual(names('referrer', 'https://xn--mller-kva.example/%C3%BC'), ['https://müller.example/ü']);
});

test('leaves out what was not asked for', () => {
  assert.deepEqual(toTable({ rows: [{ dimensions: {}, metrics: { visitors: 3 } }] }, {}), {
    header: ['visitors'],
    rows: [[3]],
  });
});

test('a series has the time that each interval is compared with, and none where there is nothing to compare', () => {
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
