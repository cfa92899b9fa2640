import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, createTestLog } from '../control/test-control.ts';
import type { WebsiteStore } from '../store/website-store.ts';
import { keepDemos } from './keep-demos.ts';

test('notices demo records that a command has loaded or removed', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  let records = 0;
  let asked = 0;
  const countRecords = async () => {
    asked += 1;
    return records;
  };
  const demos = keepDemos({
    store: { insertBatch: async () => assert.fail('nothing is loaded here') },
    askedStore: { ofWebsite: () => ({ countRecords }) as unknown as WebsiteStore },
    days: { rebuild: async () => {}, startOver: async () => {} },
    clock,
    log: createTestLog().log,
  });
  assert.equal((await demos.stateOf(1)).state, 'none');
  records = 876_000;
  assert.equal((await demos.stateOf(1)).state, 'none');
  assert.equal(asked, 1, 'a large website is not counted each time');
  clock.pass(60_000);
  assert.deepEqual(await demos.stateOf(1), { state: 'loaded', done: 0, records });
  records = 0;
  clock.pass(-3_600_000);
  assert.equal((await demos.stateOf(1)).state, 'none', 'the clock may have been set back');
});
