import assert from 'node:assert/strict';
import { test } from 'node:test';
import { levelOf, lostOf } from './lost.ts';

const counts = (lost: number, sent: number) => ({ sent, refused: lost, missing: 0, overQuota: 0 });

test('refused, missing and over quota are lost, excluded is not', () => {
  assert.equal(lostOf({ refused: 1, missing: 20, overQuota: 300 }), 321);
});

test('a day gets its color from the share that was lost', () => {
  assert.equal(levelOf(counts(0, 100)), 0);
  assert.equal(levelOf(counts(1, 1_000_000)), 1);
  assert.equal(levelOf(counts(1, 100)), 1);
  assert.equal(levelOf(counts(2, 100)), 2);
  assert.equal(levelOf(counts(5, 100)), 2);
  assert.equal(levelOf(counts(6, 100)), 3);
  assert.equal(levelOf(counts(100, 100)), 3);
});

test('a day on which nothing was sent has no color', () => {
  assert.equal(levelOf(undefined), undefined);
  assert.equal(levelOf(counts(0, 0)), undefined);
});
