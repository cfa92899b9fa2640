import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { maxLateMs } from '../records/late-limits.ts';
import { runErasures } from './run-erasures.ts';
import { openTestRemovals } from './test-removals.ts';

const row = { websiteId: 1, visitorId: '7', occurredAtMs: 5 };

test('waits for rows on their way, then removes, then builds days, then records that', async (t) => {
  const { parts, state, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  state.rows.push(row, { ...row, visitorId: '8' });
  const isWanted: boolean[] = [];
  parts.loader.isLoadedTo = async () => {
    await websiteCache.refresh();
    isWanted.push(websiteCache.isWanted({ ...row, day: '2026-03-10' }));
    return true;
  };
  parts.loader.batchEnded = async () => {
    state.steps.push('batch ended');
    isWanted.push(websiteCache.isWanted({ ...row, day: '2026-03-10' }));
  };
  assert.deepEqual(await runErasures(parts).erase(await control.erasures.add(1, '7')), { records: 1 });
  assert.deepEqual(state.steps, ['find visits', 'batch ended', 'count', 'remove records', 'forget']);
  assert.deepEqual(isWanted, [true, false], 'all rows are loaded first, and none after that');
  assert.deepEqual(
    state.rows.map(({ visitorId }) => visitorId),
    ['8'],
  );
  const [erasure] = await control.erasures.list();
  assert.deepEqual(await control.erasures.result(erasure!), { records: 1 });
  const entries = await control.auditLog.list({ limit: 5 });
  assert.deepEqual(
    entries.map(({ actor, action, subject, detail }) => [actor, action, subject, detail]),
    [['server', 'person.erased', 'a.test', { records: 1 }]],
  );
});

test('also erases what the person did before they signed in, and nothing else from that device', async (t) => {
  const { parts, state, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  const ofDevice = [9, 10, 19, 20].map((occurredAtMs) => ({ ...row, visitorId: '900', occurredAtMs }));
  state.rows.push(row, ...ofDevice);
  state.visits.push({ deviceId: '900', receivedFrom: 10, receivedUntil: 20 });
  const keeper = runErasures(parts);
  assert.deepEqual(await keeper.erase(await control.erasures.add(1, '7')), { records: 3 });
  assert.deepEqual(
    state.rows.map(({ occurredAtMs }) => occurredAtMs),
    [9, 20],
  );
  const wanted = ofDevice.map((one) => websiteCache.isWanted({ ...one, day: '2026-03-10' }));
  assert.deepEqual(wanted, [true, false, false, true], 'they do not come back from the journal');
});

test('an erasure that waits for the store is written down, reported as such, and done later', async (t) => {
  const { parts, state, clock, control, websiteCache, messages } = await openTestRemovals(t, ['a.test']);
  state.rows.push(row);
  state.failure = new Error('connect ECONNREFUSED');
  const keeper = runErasures(parts);
  const erased = keeper.erase(await control.erasures.add(1, '7')).catch((error: unknown) => error);
  await waitFor('an attempt', () => state.steps.includes('find visits'));
  clock.pass(60_000);
  const failure = (await erased) as Error;
  assert.deepEqual(
    [failure.name, failure.message],
    ['StoreAway', 'the store does not respond; the records are erased as soon as it does'],
  );
  const [erasure] = await control.erasures.list();
  assert.equal(await control.erasures.result(erasure!), undefined);
  state.failure = undefined;
  await websiteCache.refresh();
  await keeper.catchUp();
  assert.deepEqual(state.rows, []);
  assert.deepEqual(await control.erasures.result(erasure!), { records: 1 });
  assert.deepEqual(messages, ['an erasure is not finished: trying again', 'erased the records of a person']);
});

test('everyone who asks for the same erasure gets the same answer', async (t) => {
  const { parts, state, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  state.rows.push(row);
  const held = Promise.withResolvers<void>();
  parts.loader.batchEnded = () => held.promise;
  const keeper = runErasures(parts);
  const erased = keeper.erase(await control.erasures.add(1, '7'));
  await websiteCache.refresh();
  const caughtUp = keeper.catchUp();
  held.resolve();
  assert.deepEqual(await erased, { records: 1 });
  await caughtUp;
  assert.equal(state.steps.filter((step) => step === 'remove records').length, 1);
});

test('is checked once after a start, and not again', async (t) => {
  const { parts, state, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  const erasure = await control.erasures.add(1, '7');
  await control.erasures.finish(erasure, { records: 5 });
  await websiteCache.refresh();
  const keeper = runErasures(parts);
  await keeper.catchUp();
  await keeper.catchUp();
  assert.equal(state.steps.filter((step) => step === 'count').length, 1);
  assert.deepEqual(await control.erasures.result(erasure), { records: 5 }, 'the first answer stays');
  assert.deepEqual(await control.auditLog.list({ limit: 5 }), [], 'and is not noted again');
});

test('an erasure that a place with backups could not note is noted there later, once', async (t) => {
  const { parts, clock, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  const tried: string[] = [];
  let isReachable = false;
  parts.noteErasure = async ({ visitorId }) => {
    tried.push(visitorId);
    return isReachable;
  };
  const keeper = runErasures(parts);
  for (const visitorId of ['7', '8']) await keeper.erase(await control.erasures.add(1, visitorId));
  await websiteCache.refresh();
  await keeper.catchUp();
  assert.deepEqual(tried, ['7', '8', '7', '8']);
  isReachable = true;
  for (let seconds = 0; seconds <= 60; seconds += 1) {
    clock.pass(1000);
    await keeper.catchUp();
  }
  assert.deepEqual(tried.slice(4), ['7', '8']);
});

test('forgets an erasure once it is done and nothing from before it is in the journal or may still come', async (t) => {
  const { parts, clock, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  const erasure = await control.erasures.add(1, '7');
  await websiteCache.refresh();
  clock.pass(1000);
  const keeper = runErasures(parts);
  await keeper.clear(clock.now() + maxLateMs);
  assert.equal((await control.erasures.list()).length, 1, 'it is not done yet');
  await keeper.catchUp();
  await keeper.clear(erasure.receivedBefore + maxLateMs);
  assert.equal((await control.erasures.list()).length, 1, 'such records may be in the journal, or may come');
  await keeper.clear(clock.now() + maxLateMs);
  assert.deepEqual(await control.erasures.list(), []);
  assert.deepEqual(websiteCache.erasures(), []);
});

test('an erasure on a website that is gone keeps no other one from being forgotten', async (t) => {
  const { parts, clock, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  for (const websiteId of [1, 9]) await control.erasures.add(websiteId, '7');
  await websiteCache.refresh();
  clock.pass(1000);
  const keeper = runErasures(parts);
  await keeper.catchUp();
  await keeper.clear(clock.now() + maxLateMs);
  assert.deepEqual(await control.erasures.list(), []);
});

test('an erasure on a lost website is kept until the website is added again', async (t) => {
  const { parts, clock, control, websiteCache } = await openTestRemovals(t, ['a.test']);
  await control.websites.lose(9);
  await control.erasures.add(9, '7');
  await websiteCache.refresh();
  clock.pass(1000);
  const keeper = runErasures(parts);
  await keeper.catchUp();
  await keeper.clear(clock.now() + maxLateMs);
  assert.equal((await control.erasures.list()).length, 1);
  await control.websites.add({ domain: 'again.test', timezone: 'UTC', contingent: null, lostId: 9 });
  await websiteCache.refresh();
  await keeper.catchUp();
  await keeper.clear(clock.now() + maxLateMs);
  assert.deepEqual(await control.erasures.list(), []);
});
