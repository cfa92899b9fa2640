import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, silentLog } from '../../control/test-control.ts';
import { keepOwnership } from './keep-ownership.ts';

/** Control and a store that note what is done with them. */
function open(state: { isStoreReady: boolean; fence: number | undefined; stored: number }) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const steps: string[] = [];
  const kept = keepOwnership({
    node: 'a',
    ownership: {
      take: async ({ above = 0 }) => {
        if (state.fence !== undefined && above >= state.fence) state.fence = above + 1;
        return state.fence;
      },
      renew: async () => true,
      release: async (fence) => void steps.push(`release ${fence}`),
      owner: async () => undefined,
    },
    store: {
      readFence: async () => state.stored,
      async raiseFence(fence) {
        assert.equal(kept.isOwner(), false, 'not before the store knows it');
        state.stored = fence;
        steps.push(`raise ${fence}`);
      },
    },
    isStoreReady: () => state.isStoreReady,
    async killBuilds() {
      assert.equal(kept.isOwner(), false, 'not while an earlier owner is writing');
      steps.push('kill');
    },
    clock,
    log: silentLog(),
  });
  return { kept, clock, steps };
}

test('begins when the store knows the fence and nothing of an earlier owner is running', async () => {
  const { kept, steps } = open({ isStoreReady: true, fence: 3, stored: 2 });
  assert.equal(kept.fence(), undefined);
  await kept.renew();
  assert.deepEqual(steps, ['raise 3', 'kill']);
  assert.equal(kept.fence(), 3);
  await kept.renew();
  assert.deepEqual(steps, ['raise 3', 'kill'], 'once for each ownership');
});

test('takes a fence above the one that the store knows', async () => {
  const { kept, steps } = open({ isStoreReady: true, fence: 1, stored: 17 });
  await kept.renew();
  assert.deepEqual(steps, ['raise 18', 'kill']);
  assert.equal(kept.fence(), 18);
});

test('stops on its own before another node may take over', async () => {
  const { kept, clock } = open({ isStoreReady: true, fence: 3, stored: 0 });
  await kept.renew();
  clock.pass(3_900);
  assert.equal(kept.isOwner(), true);
  clock.pass(200);
  assert.equal(kept.isOwner(), false, 'the database has not heard of it for 4 s');
  await kept.renew();
  assert.equal(kept.isOwner(), true);
});

test('gives up if another node has taken over, or if it cannot reach the store', async () => {
  const state = { isStoreReady: true, fence: 3 as number | undefined, stored: 0 };
  const { kept, steps } = open(state);
  await kept.renew();
  state.fence = undefined;
  await kept.renew();
  assert.equal(kept.fence(), undefined);
  state.fence = 5;
  await kept.renew();
  assert.equal(kept.fence(), 5);
  state.isStoreReady = false;
  await kept.renew();
  assert.equal(kept.fence(), undefined);
  assert.deepEqual(steps, ['raise 3', 'kill', 'raise 5', 'kill', 'release 5']);
});
