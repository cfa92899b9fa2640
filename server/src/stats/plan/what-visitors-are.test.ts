import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whatVisitorsAre } from './what-visitors-are.ts';

const daysWith = (...clients: number[]) =>
  clients.map((count, at) => ({
    day: `2026-03-0${at + 1}`,
    build: String(at),
    isOpen: false,
    hasBase: false,
    records: 100,
    clients: count,
  }));
const unasked = () => assert.fail('the days alone decide');

test('visitors of several days without a ClientId are the sum of the days', async () => {
  assert.equal(await whatVisitorsAre(daysWith(0, 0), undefined, unasked), 'daily');
  assert.equal(await whatVisitorsAre(daysWith(0, 0), 'week', unasked), 'daily');
});

test('visitors of one day, or of intervals within days, are distinct', async () => {
  assert.equal(await whatVisitorsAre([], undefined, unasked), 'distinct');
  assert.equal(await whatVisitorsAre(daysWith(0), undefined, unasked), 'distinct');
  for (const interval of ['minute', 'hour', 'day'] as const)
    assert.equal(await whatVisitorsAre(daysWith(0, 3), interval, unasked), 'distinct');
});

test('recognizes visitors with a ClientId, and knows whether all of them have one', async () => {
  const visitors = (count: number) => () => Promise.resolve(count);
  assert.equal(await whatVisitorsAre(daysWith(2, 3), undefined, visitors(5)), 'distinct');
  assert.equal(await whatVisitorsAre(daysWith(2, 3), 'month', visitors(6)), 'mixed');
  assert.equal(await whatVisitorsAre(daysWith(0, 3), undefined, visitors(4)), 'mixed');
});
