import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Series } from '../series/series.ts';
import { findLonePoints, toPlotData } from './to-plot-data.ts';

const series = (of: Partial<Series>): Series => ({
  metric: 'visitors',
  interval: 'day',
  period: { from: '2026-11-03', to: '2026-11-06' },
  times: ['2026-11-03', '2026-11-04', '2026-11-05', '2026-11-06'],
  values: [],
  before: undefined,
  begun: 0,
  unfinished: undefined,
  ...of,
});

test('draws the unfinished part as a separate line, from the last complete value', () => {
  const [xs, before, complete, unfinished] = toPlotData(
    series({ values: [4, 5, 2, null], before: [1, 2, 3, 4], unfinished: 2 }),
  );
  assert.deepEqual(xs, [0, 1, 2, 3]);
  assert.deepEqual(before, [1, 2, 3, 4]);
  assert.deepEqual(complete, [4, 5, null, null]);
  assert.deepEqual(unfinished, [null, 5, 2, null]);
});

test('draws a period that has ended as one line', () => {
  const [, before, complete, unfinished] = toPlotData(series({ values: [4, 5] }));
  assert.deepEqual(
    [before, complete, unfinished],
    [
      [null, null],
      [4, 5],
      [null, null],
    ],
  );
});

test('draws weeks of which the period has only a part like the unfinished one', () => {
  const weeks = series({
    interval: 'week',
    period: { from: '2026-10-08', to: '2026-10-28' },
    times: ['2026-10-05', '2026-10-12', '2026-10-19', '2026-10-26'],
    values: [2, 9, 8, 3],
    begun: 4,
  });
  const [, , complete, partial] = toPlotData(weeks);
  assert.deepEqual(
    [complete, partial],
    [
      [null, 9, 8, null],
      [2, 9, 8, 3],
    ],
  );
  assert.deepEqual(toPlotData(weeks, true)[3], [2, null, null, 3], 'bars stand alone');
  const whole = { ...weeks, period: { from: '2026-10-05', to: '2026-11-01' } };
  assert.deepEqual(toPlotData(whole)[2], [2, 9, 8, 3]);
});

test('draws an hour of which the period has only the end like the unfinished one', () => {
  const hours = series({
    interval: 'hour',
    period: { from: '2026-11-17', to: '2026-11-18', fromTime: '13:23', toTime: '13:22' },
    times: ['2026-11-17T13:00', '2026-11-17T14:00', '2026-11-17T15:00'],
    values: [37, 93, 83],
    begun: 3,
  });
  assert.deepEqual(toPlotData(hours)[2], [null, 93, 83]);
  const days = { ...hours, period: { from: '2026-11-17', to: '2026-11-18' } };
  assert.deepEqual(toPlotData(days)[2], [37, 93, 83]);
});

test('draws a single unfinished interval as a point', () => {
  const [, , complete, unfinished] = toPlotData(series({ values: [4], unfinished: 0 }));
  assert.deepEqual([complete, unfinished], [[null], [4]]);
});

test('finds the values that a line would not show', () => {
  assert.deepEqual(findLonePoints([1, null, 2, 3, null, 0]), [0, 5]);
  assert.deepEqual(findLonePoints([7]), [0]);
  assert.deepEqual(findLonePoints([null]), []);
});

test('draws the current bar alone, and a second metric with its own values', () => {
  const [, , complete, unfinished, second] = toPlotData(
    series({ values: [4, 5], unfinished: 1, second: { metric: 'visits', values: [6, 7] } }),
    true,
  );
  assert.deepEqual(
    [complete, unfinished, second],
    [
      [4, null],
      [null, 5],
      [6, 7],
    ],
  );
});
