import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planBuilds } from './plan-builds.ts';
import type { DayState } from './read-days.ts';

const state = (day: string, records = 10): DayState => ({ day, records, checksum: '1', built: undefined });
const planned = (days: DayState[], maxRecords = 1000) =>
  planBuilds(days, '2026-03-10', maxRecords).map(({ tables, run }) => [
    tables,
    ...run.map(({ day }) => day.slice(8)),
  ]);

test('builds consecutive days together, but today and yesterday separately', () => {
  const days = ['05', '06', '08', '09', '10'].map((day) => state(`2026-03-${day}`));
  assert.deepEqual(planned(days), [
    ['closed', '05', '06'],
    ['closed', '08'],
    ['open', '09', '10'],
  ]);
});

test('starts another build where one would hold too many records, and never splits a day', () => {
  const days = ['01', '02', '03', '04'].map((day, index) =>
    state(`2026-03-${day}`, [600, 400, 1, 5000][index]),
  );
  assert.deepEqual(planned(days), [
    ['closed', '01', '02'],
    ['closed', '03'],
    ['closed', '04'],
  ]);
});

test('continues across the end of a month', () => {
  assert.deepEqual(planned([state('2026-02-28'), state('2026-03-01')]), [['closed', '28', '01']]);
  assert.deepEqual(planned([]), []);
});
