import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { noCounts } from '../question/metrics.ts';
import { bytesOf, createKeptSums, type Sums, topOfSums } from './kept-sums.ts';

const sumsOf = (...values: string[]): Sums => new Map(values.map((value) => [value, noCounts]));
const bytesOfOne = bytesOf(sumsOf('x'));

test('keeps sums for everyone who asks, even before they have been read', async () => {
  const kept = createKeptSums(5 * bytesOfOne);
  const { promise, resolve } = Promise.withResolvers<Sums>();
  kept.set('a', promise);
  const early = kept.get('a');
  resolve(sumsOf('x'));
  assert.equal(await early, await promise);
  assert.equal(kept.get('b'), undefined);
});

test('forgets unused sums when they take up too much memory, and keeps those in use', async () => {
  const kept = createKeptSums(10 * bytesOfOne);
  kept.set('used', Promise.resolve(sumsOf('x')));
  kept.set('unused', Promise.resolve(sumsOf('x')));
  for (let other = 0; other < 30; other += 1) {
    kept.set(`other ${other}`, Promise.resolve(sumsOf('x', 'y')));
    await nextTurn();
    assert.ok(kept.get('used'));
  }
  assert.equal(kept.get('unused'), undefined);
  assert.ok(kept.get('other 29'));
});

test('does not keep sums larger than the limit, and leaves room for others', async () => {
  const large = sumsOf('1', '2', '3', '4', '5');
  const kept = createKeptSums(bytesOf(large) - 1);
  kept.set('large', Promise.resolve(large));
  await nextTurn();
  assert.equal(kept.get('large'), undefined);
  kept.set('small', Promise.resolve(sumsOf('1')));
  await nextTurn();
  assert.ok(kept.get('small'));
});

test('counts what the texts of values take up, with two bytes for each character', () => {
  const short = Array.from({ length: 100 }, (_, at) => `${at}`.padStart(2, '0'));
  const long = short.map((value) => value.padEnd(2002, 'я'));
  assert.equal(bytesOf(sumsOf(...long)) - bytesOf(sumsOf(...short)), 100 * 2000 * 2);
});

test('counts every value, and what has none', () => {
  const ofNothing = bytesOf(undefined);
  assert.ok(ofNothing >= 400);
  assert.equal(bytesOf(sumsOf()), ofNothing);
  assert.equal(bytesOf(sumsOf('a', 'b')) - ofNothing, 2 * (bytesOf(sumsOf('a')) - ofNothing));
  assert.ok(bytesOfOne - ofNothing >= 240);
});

test('reports a fault to those who wait, but not to the next one', async () => {
  const kept = createKeptSums(2 * bytesOfOne);
  const failing = Promise.reject(new Error('the store is away'));
  kept.set('a', failing);
  await assert.rejects(kept.get('a')!, /away/);
  await nextTurn();
  assert.equal(kept.get('a'), undefined);
});

const top = (visitors: Record<string, number>, limit = 10, descending = true) =>
  topOfSums(
    { order: [{ by: 'visitors', descending }], limit },
    new Map(
      Object.entries(visitors).map(([value, count]) => [value, { ...noCounts, visitors: count, visits: 2 }]),
    ),
  );
const valuesOf = (answer: ReturnType<typeof top>) => answer.rows.map(({ values }) => values[0]);

test('has the highest first, or the lowest, and knows how many there are', () => {
  assert.deepEqual(valuesOf(top({ a: 1, b: 3, c: 2 }, 2)), ['b', 'c']);
  assert.deepEqual(valuesOf(top({ a: 1, b: 3, c: 2 }, 2, false)), ['a', 'c']);
  assert.equal(top({ a: 1, b: 3, c: 2 }, 2).totalRows, 3);
});

test('equal numbers are in the order of their bytes, as in the store', () => {
  // In UTF-16 the emoji begins with a unit below U+FF5E; in bytes it comes last.
  assert.deepEqual(valuesOf(top({ '～': 1, '😀': 1, b: 1, B: 1, ä: 1 })), ['B', 'b', 'ä', '～', '😀']);
});
