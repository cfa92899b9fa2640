import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Deletion, runDeletions } from './run-deletions.ts';
import { openTestRemovals } from './test-removals.ts';

const row = { websiteId: 1, visitorId: '7', occurredAtMs: 5 };

test('removes records, then days, then the website, and reports its progress', async (t) => {
  const { parts, state, control } = await openTestRemovals(t, ['a.test', 'b.test']);
  state.rows.push(row, row, { ...row, websiteId: 2 });
  const told: Deletion[] = [];
  let wasThere = false;
  const checkpointUsage = async () => {
    wasThere = (await control.websites.find('a.test')) !== undefined;
  };
  const onProgress = (_id: number, deletion: Deletion) => told.push(deletion);
  const keeper = runDeletions({ ...parts, checkpointUsage, onProgress });
  assert.equal(keeper.progress(1), undefined);
  await control.deletions.begin(1);
  await keeper.begin(1);
  await keeper.ended();
  assert.deepEqual(state.steps, ['batch ended', 'count', 'remove records', 'remove days', 'count']);
  assert.deepEqual(state.rows, [{ ...row, websiteId: 2 }]);
  assert.ok(wasThere, 'what is used is written down while the website is there');
  assert.deepEqual(keeper.progress(1), { state: 'done', deletedRecords: 2, allRecords: 2 });
  assert.deepEqual(told[0], { state: 'running', deletedRecords: 0, allRecords: 0 });
  assert.deepEqual(
    (await control.websites.list()).map(({ domain }) => domain),
    ['b.test'],
  );
  const [entry] = await control.auditLog.list({ limit: 1 });
  assert.deepEqual(
    [entry?.actor, entry?.action, entry?.subject, entry?.detail],
    ['server', 'website.deleted', 'a.test', { records: 2 }],
  );
});

test('a failed deletion says so, keeps the website marked, and is retried after a minute', async (t) => {
  const { parts, state, clock, control, messages } = await openTestRemovals(t, ['a.test']);
  state.rows.push(row);
  state.failure = new Error('disk is full');
  const keeper = runDeletions({ ...parts, checkpointUsage: async () => {} });
  await control.deletions.begin(1);
  await keeper.begin(1);
  await waitFor('an attempt', () => state.steps.includes('count'));
  clock.pass(10 * 60_000);
  await keeper.ended();
  assert.equal(keeper.progress(1)?.state, 'failed');
  assert.notEqual((await control.websites.find('a.test'))?.deletingSince, null);
  state.failure = undefined;
  keeper.catchUp();
  await keeper.ended();
  assert.equal(keeper.progress(1)?.state, 'failed', 'not at once');
  clock.pass(60_000);
  keeper.catchUp();
  assert.equal(keeper.progress(1)?.state, 'running');
  await keeper.ended();
  assert.equal(keeper.progress(1)?.state, 'done');
  assert.deepEqual(messages, [
    'a website could not be deleted: trying again in a minute',
    'deleted a website with all of its data',
  ]);
});

test('runs once if it is started twice', async (t) => {
  const { parts, state, control } = await openTestRemovals(t, ['a.test']);
  const held = Promise.withResolvers<void>();
  parts.loader.batchEnded = () => held.promise;
  const keeper = runDeletions({ ...parts, checkpointUsage: async () => {} });
  await control.deletions.begin(1);
  await keeper.begin(1);
  await keeper.begin(1);
  keeper.catchUp();
  held.resolve();
  await keeper.ended();
  assert.equal(state.steps.filter((step) => step === 'remove records').length, 1);
});

test('a website whose deletion is not written down keeps its records', async (t) => {
  const { parts, state } = await openTestRemovals(t, ['a.test']);
  state.rows.push(row);
  const keeper = runDeletions({ ...parts, checkpointUsage: async () => {} });
  await keeper.begin(1);
  await keeper.ended();
  assert.equal(keeper.progress(1)?.state, 'failed');
  assert.deepEqual(state.rows, [row]);
});
