import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Answers } from '@trackside/contract/stats/answers.ts';
import { readSeries } from './series.ts';

type Row = { time: string; visitors: number | null; before?: number | null };

function answerOf(rows: Row[], asOf: string): Answers['query'] {
  const [first, last] = [rows[0]!.time.slice(0, 10), rows.at(-1)!.time.slice(0, 10)];
  return {
    website: 'example.com',
    timezone: 'Europe/Berlin',
    period: { from: first, to: last },
    totalRows: rows.length,
    answeredFrom: 'rollups',
    asOf,
    ...(rows[0]!.before !== undefined && { comparison: { from: '2026-01-01', to: '2026-01-02' } }),
    rows: rows.map(({ time, visitors, before }) => ({
      time,
      dimensions: {},
      metrics: { visitors },
      ...(before !== undefined && { comparison: before === null ? null : { visitors: before } }),
    })),
  };
}

const read = (interval: Interval, rows: Row[], asOf: string) =>
  readSeries(answerOf(rows, asOf), { metric: 'visitors', interval, timeZone: 'Europe/Berlin' });

test('today is unfinished, by the clock of the website', () => {
  const rows = [
    { time: '2026-11-13', visitors: 5, before: 1 },
    { time: '2026-11-14', visitors: 7, before: 2 },
  ];
  const series = read('day', rows, '2026-11-13T23:30:00.000Z');
  assert.equal(series.unfinished, 1, 'it is half past midnight in Berlin');
  assert.deepEqual(series.values, [5, 7]);
  assert.deepEqual(series.before, [1, 2]);
});

test('a period that has ended has nothing unfinished', () => {
  const series = read('day', [{ time: '2026-11-12', visitors: 5 }], '2026-11-14T10:00:00.000Z');
  assert.equal(series.unfinished, undefined);
  assert.equal(series.before, undefined);
});

test('future hours have no value instead of zero', () => {
  const rows = ['09', '10', '11', '12'].map((hour, index) => ({
    time: `2026-11-14T${hour}:00`,
    visitors: index < 2 ? 4 : 0,
    before: 3,
  }));
  const series = read('hour', rows, '2026-11-14T09:59:00.000Z');
  assert.equal(series.begun, 2);
  assert.equal(series.unfinished, 1, 'it is 10:59 there');
  assert.deepEqual(series.values, [4, 4, null, null]);
  assert.deepEqual(series.before, [3, 3, 3, 3]);
});

test('a week and a month are unfinished until their last day', () => {
  const week = [{ time: '2026-11-09', visitors: 1 }];
  assert.equal(read('week', week, '2026-11-15T12:00:00.000Z').unfinished, 0);
  assert.equal(read('week', week, '2026-11-16T12:00:00.000Z').unfinished, undefined);
  const month = [{ time: '2026-11-01', visitors: 1 }];
  assert.equal(read('month', month, '2026-11-30T12:00:00.000Z').unfinished, 0);
  assert.equal(read('month', month, '2026-12-01T12:00:00.000Z').unfinished, undefined);
});

test('an interval without a counterpart has no compared value', () => {
  const rows = [
    { time: '2026-03-28', visitors: 5, before: 0 },
    { time: '2026-03-29', visitors: 7, before: null },
  ];
  assert.deepEqual(read('day', rows, '2026-04-01T12:00:00Z').before, [0, null]);
});

test('a rate without visits stays empty', () => {
  assert.deepEqual(read('day', [{ time: '2026-11-12', visitors: null }], '2026-11-14T10:00:00Z').values, [
    null,
  ]);
});
