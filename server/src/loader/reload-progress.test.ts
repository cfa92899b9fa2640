import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { payloads, useFolders } from '../journal/test-journal.ts';
import { openLoaderAndStore } from './test-loader.ts';

const makeFolder = useFolders();

test('reports how much of the journal has yet to be loaded into another store', async (t) => {
  const { store, engine, append, start, settle } = await openLoaderAndStore(t, await makeFolder(), {
    maxRows: 4,
  });
  await append(payloads(20));
  const loader = start();
  await settle();
  assert.deepEqual(loader.state().toLoadAgain, { batches: 0, records: 0 });
  assert.deepEqual([loader.state().toCompareBatches, loader.state().waitingBytes], [0, 0]);

  // Each INSERT waits until it is released.
  const insert = store.insertBatch.bind(store);
  const gates: (() => void)[] = [];
  t.mock.method(store, 'insertBatch', async (batch: Parameters<typeof insert>[0]) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    await insert(batch);
  });
  engine.stop();
  store.replace();
  engine.start();
  await append(payloads(3, 21));
  for (const left of [5, 4, 3, 2, 1]) {
    await waitFor('the next batch', () => gates.length === 1);
    assert.deepEqual(loader.state().toLoadAgain, { batches: left, records: left * 4 });
    assert.equal(loader.state().toCompareBatches, 5);
    assert.ok(loader.state().waitingBytes > 0, 'what came meanwhile waits');
    gates.shift()!();
  }
  await waitFor('what came meanwhile', () => gates.length === 1);
  assert.deepEqual(loader.state().toLoadAgain, { batches: 0, records: 0 });
  gates.shift()!();
  await settle();
  assert.deepEqual([loader.state().toCompareBatches, loader.state().waitingBytes], [0, 0]);
  assert.deepEqual(store.payloads(), payloads(23));
});

test('an error disappears as soon as something succeeds, not when everything is done', async (t) => {
  const { store, engine, append, start, settle } = await openLoaderAndStore(t, await makeFolder(), {
    maxRows: 4,
  });
  await append(payloads(8));
  const loader = start();
  await settle();
  engine.stop();
  store.replace();
  store.failure = new Error('the engine is away');
  engine.start();
  await waitFor('the error', () => loader.state().lastError === 'the engine is away');
  const gates: (() => void)[] = [];
  const insert = store.insertBatch.bind(store);
  t.mock.method(store, 'insertBatch', async (batch: Parameters<typeof insert>[0]) => {
    await new Promise<void>((resolve) => gates.push(resolve));
    await insert(batch);
  });
  store.failure = undefined;
  loader.retryNow();
  await waitFor('the first INSERT', () => gates.length === 1);
  assert.equal(loader.state().lastError, undefined);
  assert.equal(loader.state().toLoadAgain.batches, 2);
  gates.shift()!();
  await waitFor('the second INSERT', () => gates.length === 1);
  gates.shift()!();
  await settle();
});

test('tries a new engine at once, whatever the pause after the last fault', async (t) => {
  const { store, engine, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  store.failure = new Error('the engine is away');
  await append(payloads(3));
  const isReady = t.mock.method(engine, 'isReady');
  const loader = start();
  // After some attempts the next one is seconds away.
  const migrate = t.mock.method(store, 'migrate');
  await waitFor('some attempts', () => migrate.mock.callCount() >= 4);
  store.failure = undefined;
  // An attempt begins by looking at the engine.
  const looks = isReady.mock.callCount();
  loader.retryNow();
  await new Promise(setImmediate);
  assert.ok(isReady.mock.callCount() > looks, 'expected an attempt without a pause');
  await settle();
  assert.deepEqual(store.payloads(), payloads(3));
});
