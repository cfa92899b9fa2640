import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
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

test('writes the batch to the ledger before its INSERT begins', async (t) => {
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

test('knows whether a place in the journal is loaded, even at the start of an empty segment', async (t) => {
  const { append, journal, start, settle, engine } = await open(t);
  await append(payloads(3));
  const loader = start();
  const end = loader.receivedTo(0)!;
  assert.deepEqual(end, journal.durable());
  await settle();
  assert.ok(await loader.isLoadedTo(end));
  await journal.rotate();
  assert.ok(journal.durable().segment > end.segment);
  assert.ok(await loader.isLoadedTo(journal.durable()));
  engine.stop();
  await append(payloads(3, 4));
  assert.ok(!(await loader.isLoadedTo(journal.durable())), 'the store is away');
  engine.start();
  await waitFor('the rest', () => loader.isLoadedTo(journal.durable()));
});

test('compares all batches once more if that is asked for while it compares them', async (t) => {
  const { store, engine, append, start, settle, close, reopen } = await open(t);
  await append(payloads(20));
  start();
  await settle();
  await close();
  const again = await reopen();
  const counting = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const count = store.countBatches.bind(store);
  const counts = t.mock.method(store, 'countBatches', async (...range: Parameters<typeof count>) => {
    const found = await count(...range);
    counting.resolve();
    await held.promise;
    return found;
  });
  const loader = again.start();
  await counting.promise;
  loader.compareAll();
  const ready = t.mock.method(engine, 'isReady', () => false);
  counts.mock.restore();
  held.resolve();
  await loader.stepEnded();
  // Another worker takes out a damaged part, while nothing is loaded.
  store.removeRow(0);
  ready.mock.restore();
  await again.settle();
  assert.deepEqual(store.payloads().toSorted(), payloads(20).toSorted());
});

test('another store gets everything in the journal', async (t) => {
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
  assert.ok(messages.includes('this is a different store: loading everything in the journal'));
});

test('counts every batch again after a restart, even if it was verified before', async (t) => {
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

test('does not reuse a batch number that the store knows', async (t) => {
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

test('loads nothing while the engine is away, and everything once it is back', async (t) => {
  const { store, engine, append, start, settle, isLoaded } = await open(t);
  engine.stop();
  await append(payloads(20));
  const loader = start();
  // In each of these three turns, its loop would have loaded them.
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

test('reports a store that does not answer in the state, and tries again', async (t) => {
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

test('stop loads the rest', async (t) => {
  const { store, append, start, settle } = await open(t, { intervalMs: 60_000, maxRows: 4 });
  const loader = start();
  await append(payloads(1));
  await settle();
  await append(payloads(20, 2));
  await loader.stop({ withinMs: 300_000 });
  assert.deepEqual(store.payloads(), payloads(21));
});

test('stop gives up on a store that does not answer', async (t) => {
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
  // Closing the loader after the test would otherwise wait for this answer.
  answer.resolve();
});

test('is verified up to the first batch that was not counted', async (t) => {
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

test('searches the whole store for batches without rows only once an hour', async (t) => {
  let passedMs = 0;
  const clock = { now: Date.now, monotonicMs: () => performance.now() + passedMs };
  const { store, journal, ledger, append, start } = await open(t, { clock });
  const counts = t.mock.method(store, 'countBatches').mock;
  start();
  const noteAfter = async (ms: number) => {
    passedMs += ms;
    const before = ledger.state.lastBatch;
    await new Promise((resolve) => journal.appendVerdict({ a: 1 }, resolve));
    await waitFor('a batch without rows', () => ledger.state.lastBatch > before);
  };
  await noteAfter(0);
  const atFirst = counts.callCount();
  for (let minute = 0; minute < 3; minute += 1) await noteAfter(61_000);
  assert.equal(counts.callCount(), atFirst);
  await noteAfter(3_600_000);
  await waitFor('a search', () => counts.callCount() === atFirst + 1);
  passedMs += 61_000;
  await append(payloads(1));
  await waitFor('a count of the batch with a row', () => counts.callCount() > atFirst + 1);
});

test('nothing counts as verified until this process has counted this store', async (t) => {
  const { engine, store, reopen, ...first } = await open(t);
  await first.append(payloads(3));
  first.start();
  await first.settle();
  const end = first.journal.durable();
  await first.close();
  // `trackside repair` does this while the server is down. The ledger still describes the old store.
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
