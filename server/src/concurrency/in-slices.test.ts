import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inSlices } from './in-slices.ts';

const limitMs = 60_000;

function* workUntil(isEnough: () => boolean): Generator<void, string> {
  const limit = performance.now() + limitMs;
  while (!isEnough() && performance.now() < limit) yield;
  return 'done';
}

test('lets others have the thread in between, and returns the result', async () => {
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  assert.equal(await inSlices(workUntil(() => turns >= 3)), 'done');
  clearImmediate(next);
  assert.ok(turns >= 3, `others had ${turns} turns`);
});

test('short work is done in one go', async () => {
  let hasWaited = false;
  const waiting = setImmediate(() => {
    hasWaited = true;
  });
  const work = (function* () {
    yield;
    return 7;
  })();
  assert.equal(await inSlices(work), 7);
  assert.equal(hasWaited, false);
  clearImmediate(waiting);
});

test('rejects with the fault of the work', async () => {
  const work = (function* (): Generator<void, never> {
    yield;
    throw new Error('a fault');
  })();
  await assert.rejects(inSlices(work), /a fault/);
});
