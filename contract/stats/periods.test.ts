import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedPeriod } from './periods.ts';

const today = '2026-03-04';

test('names mean the days that people expect, up to today', () => {
  const periods = {
    today: ['2026-03-04', '2026-03-04'],
    yesterday: ['2026-03-03', '2026-03-03'],
    thisWeek: ['2026-03-02', '2026-03-04'],
    thisMonth: ['2026-03-01', '2026-03-04'],
    lastMonth: ['2026-02-01', '2026-02-28'],
    thisQuarter: ['2026-01-01', '2026-03-04'],
    '12m': ['2025-03-01', '2026-02-28'],
    thisYear: ['2026-01-01', '2026-03-04'],
    all: ['2024-05-06', '2026-03-04'],
  } as const;
  for (const [name, [from, to]] of Object.entries(periods)) {
    assert.deepEqual(namedPeriod(name as keyof typeof periods, today, '2024-05-06'), { from, to }, name);
  }
  assert.equal(namedPeriod('thisQuarter', '2026-12-31', today).from, '2026-10-01');
  assert.deepEqual(namedPeriod('all', today, '2027-01-01'), { from: today, to: today });
});
