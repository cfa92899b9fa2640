import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeView, effectiveView } from './change-view.ts';
import { usualView } from './view.ts';

test('an interval that does not fit the new period is given up', () => {
  const byHour = { ...usualView, period: '7d', interval: 'hour' } as const;
  assert.equal(changeView(byHour, { period: '30d' }, '2026-11-15').interval, undefined);
  assert.equal(changeView(byHour, { period: 'today' }, '2026-11-15').interval, 'hour');
});

test('nothing comes before everything', () => {
  assert.equal(effectiveView({ ...usualView, period: 'all' }).compare, 'none');
  assert.equal(
    effectiveView({ ...usualView, period: 'all', compare: 'previousYear' }).compare,
    'previousYear',
  );
  assert.equal(effectiveView(usualView), usualView);
});
