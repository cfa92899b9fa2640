import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { canZoom, zoomSpan } from './zoom-span.ts';

const series = (interval: Interval, times: string[], period: Period) => ({ interval, times, period });

test('days become days', () => {
  const days = series('day', ['2026-11-01', '2026-11-02', '2026-11-03'], {
    from: '2026-11-01',
    to: '2026-11-03',
  });
  assert.deepEqual(zoomSpan(days, 1, 2), { from: '2026-11-02', to: '2026-11-03' });
  assert.deepEqual(zoomSpan(days, 1, 1), { from: '2026-11-02', to: '2026-11-02' });
});

test('weeks and months end where the period ends', () => {
  const weeks = series('week', ['2026-10-26', '2026-11-02', '2026-11-09'], {
    from: '2026-10-28',
    to: '2026-11-12',
  });
  assert.deepEqual(zoomSpan(weeks, 0, 1), { from: '2026-10-28', to: '2026-11-08' });
  assert.deepEqual(zoomSpan(weeks, 2, 2), { from: '2026-11-09', to: '2026-11-12' });
  const months = series('month', ['2026-02-01', '2026-03-01'], { from: '2026-02-01', to: '2026-03-31' });
  assert.deepEqual(zoomSpan(months, 0, 0), { from: '2026-02-01', to: '2026-02-28' });
});

test('hours become minutes, up to the last one of the hour', () => {
  const hours = series('hour', ['2026-11-03T14:00', '2026-11-03T15:00'], {
    from: '2026-11-03',
    to: '2026-11-03',
  });
  assert.deepEqual(zoomSpan(hours, 0, 1), { from: '2026-11-03T14:00', to: '2026-11-03T15:59' });
});

test('hours that make whole days become days', () => {
  const times = ['2026-11-02T00:00', '2026-11-02T23:00', '2026-11-03T00:00'];
  const hours = series('hour', times, { from: '2026-11-01', to: '2026-11-03' });
  assert.deepEqual(zoomSpan(hours, 0, 1), { from: '2026-11-02', to: '2026-11-02' });
});

test('stays within a period of minutes', () => {
  const hours = series('hour', ['2026-11-03T14:00', '2026-11-03T15:00'], {
    from: '2026-11-03',
    to: '2026-11-03',
    fromTime: '14:20',
    toTime: '15:10',
  });
  assert.deepEqual(zoomSpan(hours, 0, 1), { from: '2026-11-03T14:20', to: '2026-11-03T15:10' });
});

test('does not zoom into what is already shown, or into one minute', () => {
  const period = { from: '2026-11-03', to: '2026-11-03' };
  const minutes = series('minute', ['2026-11-03T14:00', '2026-11-03T14:01', '2026-11-03T14:02'], period);
  assert.equal(canZoom(minutes, 1, 1), false);
  assert.equal(canZoom(minutes, 0, 1), true);
  assert.equal(canZoom(minutes, 0, 2), false);
  assert.equal(canZoom(series('day', ['2026-11-03'], period), 0, 0), true, 'a day has hours');
});
