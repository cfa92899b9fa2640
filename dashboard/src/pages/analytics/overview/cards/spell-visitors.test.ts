import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spellVisitors } from './spell-visitors.ts';

test('a sum of days is called one, with a reason', () => {
  assert.equal(spellVisitors('daily')?.note, 'daily');
  assert.match(spellVisitors('daily')!.title, /sum of each day’s visitors/);
  assert.equal(spellVisitors('mixed')?.note, 'partly daily');
  assert.match(spellVisitors('mixed')!.title, /with a ClientId count once/);
});

test('different visitors need no note', () => {
  assert.equal(spellVisitors('distinct'), undefined);
  assert.equal(spellVisitors(undefined), undefined);
});
