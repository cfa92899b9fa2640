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

test('rows of a website that was removed in the meantime do not keep a batch unverified', async (t) => {
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

test('rows that become unwanted during a batch are in the store when it ends, and not later', async (t) => {
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

test('a batch that fails has also ended', async (t) => {
  const { store, append, start, settle } = await open(t);
  store.faults.push('fail before storing');
  await append(payloads(3));
  const loader = start();
  await waitFor('the INSERT', () => store.inserts.length > 0);
  await loader.batchEnded();
  await settle();
  assert.deepEqual(store.payloads(), payloads(3));
});

test('rows that were removed on purpose do not come back, even in another store', async (t) => {
  const erased = new Set<string>();
  const { store, engine, ledger, append, start, settle } = await open(t, {
    isWanted: ({ occurredAtMs }) => !erased.has(new Date(occurredAtMs).toISOString()),
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
