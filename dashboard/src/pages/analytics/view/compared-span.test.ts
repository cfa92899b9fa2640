import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedSpan } from './compared-span.ts';
import { usualView, type View } from './view.ts';

const today = '2026-11-15';
const compared = (period: View['period'], compare: View['compare'] = 'previousPeriod') =>
  comparedSpan({ ...usualView, period, compare }, today);

test('a short period is compared with what was right before', () => {
  assert.equal(compared('7d', 'none'), undefined);
  assert.deepEqual(compared('today'), { from: '2026-11-14', to: '2026-11-14' });
  assert.deepEqual(compared('7d'), { from: '2026-11-02', to: '2026-11-08' });
  assert.deepEqual(compared({ from: '2026-11-03T14:00', to: '2026-11-03T15:59' }), {
    from: '2026-11-03T12:00',
    to: '2026-11-03T13:59',
  });
});

test('a longer one begins on the same day of the week, and does not overlap', () => {
  assert.deepEqual(compared('30d'), { from: '2026-09-12', to: '2026-10-11' });
  assert.deepEqual(compared('90d'), { from: '2026-05-19', to: '2026-08-16' });
  assert.deepEqual(compared({ from: '2026-11-01', to: '2026-11-14' }), {
    from: '2026-10-18',
    to: '2026-10-31',
  });
});

test('months are compared with months', () => {
  assert.deepEqual(compared('thisMonth'), { from: '2026-10-01', to: '2026-10-15' });
  assert.deepEqual(compared('lastMonth'), { from: '2026-09-01', to: '2026-09-30' });
  const march = comparedSpan({ ...usualView, period: 'thisMonth' }, '2026-03-30');
  assert.deepEqual(march, { from: '2026-02-01', to: '2026-02-28' }, 'a day that the month before lacks');
});

test('a year before is the same days', () => {
  assert.deepEqual(compared('30d', 'previousYear'), { from: '2025-10-17', to: '2025-11-15' });
});
