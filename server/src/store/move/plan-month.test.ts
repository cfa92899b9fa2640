import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebsiteDay } from './list-contents.ts';
import { planMonth } from './plan-month.ts';

const limits = { openFrom: '2026-03-20', maxNewRecords: 100 };

function day(websiteId: number, day: string, records: number, checksum = String(records)): WebsiteDay {
  return { websiteId, day, records, checksum };
}

test('leaves days alone that are the same', () => {
  const days = [day(1, '2026-03-01', 5), day(2, '2026-03-25', 7)];
  assert.deepEqual(planMonth(days, days, limits), { newDays: [], comparedDays: [], records: 0 });
});

test('copies days that are missing as a whole, and compares those that are too large for that', () => {
  const from = [day(1, '2026-03-01', 100), day(1, '2026-03-02', 101)];
  assert.deepEqual(planMonth(from, [], limits), {
    newDays: [day(1, '2026-03-01', 100)],
    comparedDays: [{ day: '2026-03-02', websites: [1] }],
    records: 201,
  });
});

test('compares days that differ, even if only their visitors do', () => {
  const from = [day(1, '2026-03-01', 5, '1'), day(2, '2026-03-01', 5), day(3, '2026-03-01', 6)];
  const to = [day(1, '2026-03-01', 5, '2'), day(2, '2026-03-01', 5), day(3, '2026-03-01', 4)];
  assert.deepEqual(planMonth(from, to, limits), {
    newDays: [],
    comparedDays: [{ day: '2026-03-01', websites: [1, 3] }],
    records: 3,
  });
});

test('compares a day that still gets records over all websites', () => {
  const from = [day(1, '2026-03-20', 5), day(2, '2026-03-20', 5)];
  assert.deepEqual(planMonth(from, [day(2, '2026-03-20', 5)], limits).comparedDays, [
    { day: '2026-03-20', websites: [] },
  ]);
});

test('finds days that only the other store has', () => {
  assert.deepEqual(planMonth([], [day(4, '2026-03-03', 9)], limits), {
    newDays: [],
    comparedDays: [{ day: '2026-03-03', websites: [4] }],
    records: 9,
  });
});
