import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock } from '../control/test-control.ts';
import { StoreAway } from '../stats/faults.ts';
import { retryWhileStoreAway } from './retry-while-store-away.ts';

const neverStopped = () => new AbortController().signal;

test('tries again until it succeeds', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const patiently = retryWhileStoreAway({ clock, patienceMs: 1000, signal: neverStopped() });
  let attempts = 0;
  const answer = await patiently(async () => {
    attempts += 1;
    if (attempts < 3) throw new Error('socket hang up');
    return 'done';
  });
  assert.deepEqual([answer, attempts], ['done', 3]);
});

test('gives up after its time, with the store’s error as the cause', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const patiently = retryWhileStoreAway({ clock, patienceMs: 1000, signal: neverStopped() });
  let attempts = 0;
  const failing = patiently(async () => {
    attempts += 1;
    clock.pass(400);
    throw new Error(`attempt ${attempts}`);
  });
  await assert.rejects(failing, (error: Error) => {
    assert.ok(error instanceof StoreAway);
    assert.equal(error.message, 'the store does not respond');
    assert.equal((error.cause as Error).message, 'attempt 4');
    return true;
  });
});

test('work that succeeded for a while gets the full patience again', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const patiently = retryWhileStoreAway({ clock, patienceMs: 1000, signal: neverStopped() });
  let attempts = 0;
  await patiently(async () => {
    attempts += 1;
    clock.pass(attempts === 3 ? 60_000 : 600);
    if (attempts < 4) throw new Error('socket hang up');
  });
  assert.equal(attempts, 4);
});

test('ends at once when the server stops', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const stopping = new AbortController();
  const patiently = retryWhileStoreAway({ clock, patienceMs: 60_000, signal: stopping.signal });
  let attempts = 0;
  const failing = patiently(async () => {
    attempts += 1;
    stopping.abort();
    throw new Error('socket hang up');
  });
  await assert.rejects(failing, { name: 'StoreAway', message: 'the server is stopping' });
  assert.equal(attempts, 1);
});
