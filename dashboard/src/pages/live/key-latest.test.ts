import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyLatest, type LatestRecord } from './key-latest.ts';

const record = (change: Partial<LatestRecord>): LatestRecord => ({
  at: '2026-11-14T12:00:00Z',
  page: '/',
  event: null,
  country: 'DE',
  source: '',
  browser: 'Firefox',
  device: 'desktop',
  ...change,
});
const keys = (latest: LatestRecord[]) => keyLatest(latest).map(({ key }) => key);

test('a record keeps its key when newer ones arrive', () => {
  const before = [record({ page: '/b' }), record({})];
  const after = [record({ page: '/c' }), ...before];
  assert.deepEqual(keys(after).slice(1), keys(before));
});

test('identical records have different keys, and keep them', () => {
  const two = keys([record({}), record({})]);
  assert.equal(new Set(two).size, 2);
  assert.deepEqual(keys([record({}), record({}), record({})]).slice(1), two);
});

test('keeps the order', () => {
  assert.deepEqual(
    keyLatest([record({ page: '/b' }), record({ page: '/a' })]).map(({ page }) => page),
    ['/b', '/a'],
  );
});
