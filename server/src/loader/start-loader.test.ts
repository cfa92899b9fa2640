import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { gapBytesOf } from '../damage/journal-gap.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { damage, payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import type { LoaderOptions } from './loader-options.ts';
import { openLoaderAndStore } from './test-loader.ts';
import type { MemoryStore } from './test-store.ts';

const makeFolder = useFolders();
const open = async (t: TestContext, options: Partial<LoaderOptions> = {}) =>
  openLoaderAndStore(t, await makeFolder(), options);

test('loads every record once, in the order of the journal', async (t) => {
  const { store, engine, append, start, settle } = await open(t, { maxRows: 7 });
  await append(payloads(50));
  const loader = start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(50));
  assert.deepEqual(store.batches(), [1, 2, 3, 4, 5, 6, 7, 8]);
  const { loadedRows, insertedBatches, lastError } = loader.state();
  assert.deepEqual(
    { loadedRows, insertedBatches, lastError },
    { loadedRows: 50, insertedBatches: 8, lastError: undefined },
  );
  assert.equal(loader.state().storeUuid, await store.uuid());
  assert.deepEqual(engine.restarts, []);
  assert.equal(new Set(store.inserts.map(({ queryId }) => queryId)).size, 8);
});

test('loads what is appended while it runs, without being asked', async (t) => {
  const { store, append, start } = await open(t);
  start();
  await append(payloads(3));
  await waitFor('the first records', () => store.payloads().length === 3);
  await append(payloads(3, 4));
  await waitFor('the next records', () => store.payloads().length === 6);
  assert.deepEqual(store.payloads(), payloads(6));
});

test('the batch stands in the ledger before its INSERT begins', async (t) => {
  const { store, ledger, append, start, settle } = await open(t);
  const known: boolean[] = [];
  const insert = store.insertBatch.bind(store);
  t.mock.method(store, 'insertBatch', async (batch: Parameters<MemoryStore['insertBatch']>[0]) => {
    const [, number] = JSON.parse(batch.body.toString('utf8').split('\n')[0]!);
    known.push(ledger.state.batches.has(number));
    return insert(batch);
  });
  await append(payloads(3));
  start();
  await settle();
  assert.deepEqual(known, [true]);
});

test('another store gets all that the journal holds', async (t) => {
  const { store, engine, append, start, settle, messages } = await open(t, { maxRows: 4 });
  await append(payloads(10));
  start();
  await settle();
  engine.stop();
  store.replace();
  engine.start();
  await append(payloads(1, 11));
  await waitFor('the records', () => store.payloads().length === 11);
  await settle();
  assert.deepEqual(store.payloads(), payloads(11));
  assert.ok(messages.includes('another store: loading all that the journal holds'));
});

test('after a restart every batch is counted again, though it was verified before', async (t) => {
  const { store, reopen, ...first } = await open(t, { maxRows: 4 });
  await first.append(payloads(10));
  first.start();
  await first.settle();
  await first.close();
  await store.deleteBatches({ node: first.ledger.node, batches: [2], month: 202603 });
  const second = await reopen();
  second.start();
  await waitFor('the lost rows', () => store.payloads().length === 10);
  assert.deepEqual(store.payloads(), payloads(10));
});

test('a batch number that the store knows is not used again', async (t) => {
  const { store, reopen, ...first } = await open(t);
  await first.append(payloads(2));
  first.start();
  await first.settle();
  await first.close();
  store.addRow({ node: first.ledger.node, batch: 40, month: 202603, payload: payloadOf(900) });
  store.addRow({ node: 'another node', batch: 90, month: 202603, payload: payloadOf(901) });
  const second = await reopen();
  await second.append(payloads(2, 3));
  second.start();
  await second.settle();
  assert.deepEqual(store.batches(), [1, 40, 41, 90]);
});

test('nothing is loaded while the engine is away, and everything once it is there', async (t) => {
  const { store, engine, append, start, settle, isLoaded } = await open(t);
  engine.stop();
  await append(payloads(20));
  const loader = start();
  // Three turns of its loop, each of which would have loaded.
  for (let woken = 0; woken < 3; woken += 1) {
    loader.verifyNow();
    await new Promise(setImmediate);
  }
  assert.equal(store.inserts.length, 0);
  assert.ok(!isLoaded());
  assert.equal(loader.state().lastError, undefined);
  engine.start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(20));
});

test('a store that does not answer is told in the state, and tried again', async (t) => {
  const { store, append, start, settle, messages } = await open(t);
  store.failure = new Error('connect ECONNREFUSED');
  await append(payloads(5));
  const loader = start();
  await waitFor('the fault', () => loader.state().lastError === 'connect ECONNREFUSED');
  loader.verifyNow();
  store.failure = undefined;
  await settle();
  assert.deepEqual(store.payloads(), payloads(5));
  assert.equal(messages.filter((message) => message === 'loading failed: trying again').length, 1);
});

test('a damaged end of a sealed segment does not hold up the segments behind it', async (t) => {
  const { folder, store, journal, append, start, settle, ...parts } = await open(t);
  await append(payloads(3));
  await journal.rotate();
  const { firstFrame, end } = journal.segments()[0]!;
  await append(payloads(3, 4));
  const frameBytes = (end - firstFrame) / 3;
  await damage(folder, 1, (bytes) => bytes.fill(0, firstFrame + 2 * frameBytes));
  const loader = start();
  await settle();
  assert.deepEqual(store.payloads(), [...payloads(2), ...payloads(3, 4)]);
  assert.equal(gapBytesOf(await parts.damage.list()), frameBytes);
  assert.ok(loader.isVerifiedTo({ segment: 1, offset: end }), 'the damaged segment can be removed');
});

test('damage in the middle is skipped and counted, and the rest is loaded', async (t) => {
  const { folder, store, journal, append, start, settle, reopen, ...parts } = await open(t, { maxRows: 2 });
  await append(payloads(9));
  const { firstFrame, end } = journal.segments()[0]!;
  const frameBytes = (end - firstFrame) / 9;
  await damage(folder, 1, (bytes) =>
    bytes.fill(0xff, firstFrame + 4 * frameBytes, firstFrame + 6 * frameBytes),
  );
  start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(9).toSpliced(4, 2));
  assert.equal(gapBytesOf(await parts.damage.list()), 2 * frameBytes);
  await parts.close();
  const again = await reopen();
  again.start();
  await again.settle();
  assert.equal(gapBytesOf(await again.damage.list()), 2 * frameBytes, 'a restart does not forget it');
});

test('stop loads the rest', async (t) => {
  const { store, append, start, settle } = await open(t, { intervalMs: 60_000, maxRows: 4 });
  const loader = start();
  await append(payloads(1));
  await settle();
  await append(payloads(20, 2));
  await loader.stop({ withinMs: 5000 });
  assert.deepEqual(store.payloads(), payloads(21));
});

test('stop gives up a store that does not answer', async (t) => {
  const { store, append, start, settle } = await open(t);
  const loader = start();
  await append(payloads(1));
  await settle();
  const answer = Promise.withResolvers<void>();
  const mocked = t.mock.method(store, 'insertBatch', () => answer.promise);
  await append(payloads(1, 2));
  await waitFor('the INSERT', () => mocked.mock.callCount() === 1);
  await loader.stop({ withinMs: 10 });
  assert.deepEqual(store.payloads(), payloads(1));
  // What closes the loader after the test would wait for it again.
  answer.resolve();
});

test('is verified up to the first batch that is not counted', async (t) => {
  const { store, journal, ledger, append, start, settle } = await open(t);
  const loader = start();
  await append(payloads(3));
  await settle();
  const first = journal.durable();
  const count = store.countBatches.bind(store);
  const counting = Promise.withResolvers<void>();
  t.mock.method(store, 'countBatches', async (range: Parameters<typeof count>[0]) => {
    await counting.promise;
    return count(range);
  });
  assert.ok(loader.isVerifiedTo(first));
  assert.ok(!loader.isVerifiedTo({ ...first, offset: first.offset + 1 }));
  await append(payloads(3, 4));
  await waitFor('the second batch', () => ledger.state.lastBatch === 2);
  assert.ok(loader.isVerifiedTo(first));
  assert.ok(!loader.isVerifiedTo(journal.durable()));
  counting.resolve();
  await settle();
  assert.ok(loader.isVerifiedTo(journal.durable()));
});

test('nothing counts as verified until this store was counted by this process', async (t) => {
  const { engine, store, reopen, ...first } = await open(t);
  await first.append(payloads(3));
  first.start();
  await first.settle();
  const end = first.journal.durable();
  await first.close();
  // `trackside repair` while the server is down: what the ledger says is about the old store.
  engine.stop();
  store.replace();
  const second = await reopen();
  const loader = second.start();
  assert.ok(!loader.isVerifiedTo(end), 'before the engine is there');
  engine.start();
  await waitFor('the records', () => store.payloads().length === 3);
  await second.settle();
  assert.ok(loader.isVerifiedTo(end));
  engine.stop();
  assert.ok(!loader.isVerifiedTo(end), 'the journal may be the only copy');
});

test('rows of a website that was removed meanwhile do not keep a batch unverified', async (t) => {
  const gone = new Set<number>();
  const { store, journal, append, start, settle } = await open(t, {
    isWanted: ({ websiteId }) => !gone.has(websiteId),
  });
  const texts = [1, 2, 1, 2, 2].map((websiteId, index) => payloadOf(index, { websiteId }));
  store.faults.push('fail before storing');
  const insert = store.insertBatch.bind(store);
  t.mock.method(store, 'insertBatch', (batch: Parameters<MemoryStore['insertBatch']>[0]) => {
    gone.add(2);
    return insert(batch);
  });
  await append(texts);
  const loader = start();
  await settle();
  assert.deepEqual(store.payloads(), [texts[0], texts[2]]);
  assert.ok(loader.isVerifiedTo(journal.durable()));
});

test('what becomes unwanted while a batch is on its way is in the store once that batch has ended, and not later', async (t) => {
  const gone = new Set<number>();
  const { store, append, start, settle } = await open(t, {
    isWanted: ({ websiteId }) => !gone.has(websiteId),
    maxRows: 2,
  });
  const inserting = Promise.withResolvers<void>();
  const insert = store.insertBatch.bind(store);
  const mocked = t.mock.method(
    store,
    'insertBatch',
    async (batch: Parameters<MemoryStore['insertBatch']>[0]) => {
      await inserting.promise;
      return insert(batch);
    },
  );
  await append([2, 1, 2, 1, 2].map((websiteId, index) => payloadOf(index, { websiteId })));
  const loader = start();
  await waitFor('the INSERT', () => mocked.mock.callCount() === 1);
  gone.add(2);
  let hasEnded = false;
  const ended = loader.batchEnded().then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);
  assert.ok(!hasEnded, 'the row is still on its way');
  inserting.resolve();
  await ended;
  assert.equal(store.payloads().filter((payload) => JSON.parse(payload)[1] === 2).length, 1);
  await settle();
  assert.equal(store.payloads().filter((payload) => JSON.parse(payload)[1] === 2).length, 1);
  assert.equal(store.payloads().length, 3);
});

test('a batch that fails has ended too', async (t) => {
  const { store, append, start, settle } = await open(t);
  store.faults.push('fail before storing');
  await append(payloads(3));
  const loader = start();
  await waitFor('the INSERT', () => store.inserts.length > 0);
  await loader.batchEnded();
  await settle();
  assert.deepEqual(store.payloads(), payloads(3));
});

test('rows that were removed on purpose do not come back, nor when another store gets all of the journal', async (t) => {
  const erased = new Set<string>();
  const { store, engine, ledger, append, start, settle } = await open(t, {
    isWanted: ({ receivedAtMs }) => !erased.has(new Date(receivedAtMs).toISOString()),
    maxRows: 3,
  });
  await append(payloads(9));
  const loader = start();
  await settle();
  erased.add('2026-03-10T09:00:00.005Z');
  await store.deleteBatches({ node: ledger.node, batches: [2], month: 202603 });
  for (const number of [4, 6])
    store.addRow({ node: ledger.node, batch: 2, month: 202603, payload: payloadOf(number) });
  const others = payloads(9).toSpliced(4, 1);
  engine.stop();
  engine.start();
  await settle();
  assert.deepEqual(store.payloads(), others);
  engine.stop();
  store.replace();
  engine.start();
  await waitFor('the records', () => store.payloads().length === 8);
  await settle();
  assert.deepEqual(store.payloads(), others);
  assert.equal(loader.state().unverifiedBatches, 0);
});

test('a segment that is removed before it was loaded is told, and what follows is loaded', async (t) => {
  const { store, journal, append, start, settle, damage: known } = await open(t);
  await append(payloads(3));
  await journal.rotate();
  await append(payloads(3, 4));
  await rm(segmentPath(journal.folder, 1));
  const loader = start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(3, 4));
  const ids = (await known.list()).map(({ id }) => id);
  assert.deepEqual(ids, ['journal-segment-1']);
  assert.equal(loader.state().lastError, undefined);
});

test('a batch that is not whole in the store, and whose segment is removed, does not hold up the others', async (t) => {
  const { store, journal, engine, append, start, settle, damage: known } = await open(t, { maxRows: 3 });
  await append(payloads(6));
  await journal.rotate();
  start();
  await settle();
  engine.stop();
  store.replace();
  await rm(segmentPath(journal.folder, 1));
  await append(payloads(2, 7));
  engine.start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(2, 7));
  assert.match((await known.list())[0]?.says ?? '', /^journal segment 1 was removed by something else/);
});

test('a row that neither the store has nor the journal can read is lost, and not "not wanted"', async (t) => {
  const { folder, store, reopen, ...first } = await open(t);
  await first.append(payloads(6));
  first.start();
  await first.settle();
  await first.close();
  await damage(folder, 1, (bytes) => {
    bytes[bytes.indexOf('record 2')]! ^= 1;
    bytes[bytes.indexOf('record 5')]! ^= 1;
  });
  // The store has lost one that the journal cannot read either, and one that it can.
  for (const number of [2, 3])
    store.removeRow(store.rows().findIndex(({ payload }) => payload === payloadOf(number)));
  const second = await reopen();
  second.start();
  await second.settle();
  assert.deepEqual(store.payloads().toSorted(), payloads(6).toSpliced(1, 1).toSorted());
  const says = (await second.damage.list()).map((known) => known.says);
  assert.equal(says.length, 1);
  assert.match(says[0]!, /^1 records received around .* are lost: the store no longer has them/);
  await second.close();
  const third = await reopen();
  third.start();
  await third.settle();
  assert.equal(store.payloads().length, 5);
  assert.equal((await third.damage.list()).length, 1);
});
