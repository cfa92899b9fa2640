import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparedSpan, comparisonOf } from './compared-span.ts';
import { usualView, type View } from './view.ts';

const today = '2026-11-15';
const compared = (period: View['period'], compare: View['compare'] = 'previousPeriod') =>
  comparedSpan({ ...usualView, period, compare }, today);

test('compares a short period with the one right before', () => {
  assert.equal(compared('7d', 'none'), undefined);
  assert.deepEqual(compared('today'), { from: '2026-11-14', to: '2026-11-14' });
  assert.deepEqual(compared('7d'), { from: '2026-11-02', to: '2026-11-08' });
  assert.deepEqual(compared({ from: '2026-11-03T14:00', to: '2026-11-03T15:59' }), {
    from: '2026-11-03T12:00',
    to: '2026-11-03T13:59',
  });
});

test('compares longer periods too, unless weekdays are matched', () => {
  assert.deepEqual(compared('30d'), { from: '2026-09-17', to: '2026-10-16' });
  assert.deepEqual(compared('30d', 'sameWeekdays'), { from: '2026-09-12', to: '2026-10-11' });
  assert.deepEqual(compared('90d', 'sameWeekdays'), { from: '2026-05-19', to: '2026-08-16' });
  assert.deepEqual(compared('today', 'sameWeekdays'), { from: '2026-11-08', to: '2026-11-08' });
});

test('compares weeks, months, quarters and years with the previous one, up to the same point', () => {
  assert.deepEqual(compared('thisWeek'), { from: '2026-11-02', to: '2026-11-08' });
  assert.deepEqual(compared('thisMonth'), { from: '2026-10-01', to: '2026-10-15' });
  assert.deepEqual(compared('lastMonth'), { from: '2026-09-01', to: '2026-09-30' });
  assert.deepEqual(compared('thisQuarter'), { from: '2026-07-01', to: '2026-08-15' });
  assert.deepEqual(compared('thisYear'), { from: '2025-01-01', to: '2025-11-15' });
  assert.deepEqual(compared('12m'), { from: '2024-11-01', to: '2025-10-31' });
  const onMarch31 = comparedSpan({ period: 'thisMonth', compare: 'previousPeriod' }, '2026-03-31');
  assert.deepEqual(onMarch31, { from: '2026-02-01', to: '2026-02-28' });
  const onNovember30 = comparedSpan({ period: 'thisQuarter', compare: 'previousPeriod' }, '2026-11-30');
  assert.deepEqual(onNovember30, { from: '2026-07-01', to: '2026-08-30' });
});

test('compares with the same days of the year before, or with a custom range', () => {
  assert.deepEqual(compared('7d', 'previousYear'), { from: '2025-11-09', to: '2025-11-15' });
  const days = { from: '2026-01-01', to: '2026-01-07' };
  assert.deepEqual(compared('7d', days), days);
});

test('sends a name, or days that the server cuts off at the current time', () => {
  const asked = (period: View['period'], compare: View['compare'] = 'previousPeriod') =>
    comparisonOf({ period, compare }, today);
  assert.equal(asked('7d', 'none'), undefined);
  assert.equal(asked('7d'), 'previousPeriod');
  assert.equal(asked('24h', 'sameWeekdays'), 'sameWeekdays');
  assert.equal(asked('all', 'previousYear'), 'previousYear');
  assert.deepEqual(asked('thisMonth'), { from: '2026-10-01', to: '2026-10-15', soFar: true });
  assert.equal(asked('thisMonth', 'previousYear'), 'previousYear');
  const days = { from: '2026-01-01', to: '2026-01-07' };
  assert.deepEqual(asked('7d', days), { ...days, soFar: true });
});
