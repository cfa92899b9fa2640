import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payloads, useFolders } from '../journal/test-journal.ts';
import { openLoaderAndStore } from './test-loader.ts';

const makeFolder = useFolders();
const nine = Date.parse('2026-03-10T09:00:00Z');

test('the store is complete up to the first waiting record, or up to now if none waits', async (t) => {
  const { engine, clock, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  engine.stop();
  // They are received 5, 6 and 7 milliseconds after nine.
  await append(payloads(3, 5));
  clock.pass(60_000);
  const loader = start();
  await new Promise(setImmediate);
  assert.ok(loader.completeUpToMs() < nine + 5, 'nothing is in the store yet');
  engine.start();
  await settle();
  assert.equal(loader.completeUpToMs(), clock.now() - 1);
});

test('after a restart, it is complete up to the first waiting record', async (t) => {
  const { engine, reopen, clock, append, start, settle, close } = await openLoaderAndStore(
    t,
    await makeFolder(),
  );
  await append(payloads(3, 5));
  clock.pass(60_000);
  start();
  await settle();
  engine.stop();
  await append(payloads(3, 500));
  await close();
  const again = await reopen();
  const loader = again.start();
  while (loader.completeUpToMs() < nine + 499) await new Promise(setImmediate);
  assert.equal(loader.completeUpToMs(), nine + 499);
});

test('the time stands still while records are on their way into the store', async (t) => {
  const { store, clock, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  const loader = start();
  await settle();
  assert.equal(loader.completeUpToMs(), clock.now() - 1);
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const insert = store.insertBatch.bind(store);
  t.mock.method(store, 'insertBatch', async (batch: Parameters<typeof insert>[0]) => {
    begun.resolve();
    await held.promise;
    return insert(batch);
  });
  await append(payloads(3, 5));
  await begun.promise;
  const standing = loader.completeUpToMs();
  assert.ok(standing < nine + 5);
  clock.pass(60_000);
  assert.equal(loader.completeUpToMs(), standing);
  held.resolve();
  await settle();
  assert.equal(loader.completeUpToMs(), clock.now() - 1);
});

test('a record that waits for the disk is not in the store', async (t) => {
  const { journal, clock } = await openLoaderAndStore(t, await makeFolder());
  clock.pass(60_000);
  assert.equal(journal.completeUpToMs(), clock.now() - 1);
  const [first, second] = payloads(2, 5);
  const written = new Promise<void>((resolve) => {
    journal.append(first!, () => {});
    journal.append(second!, () => resolve());
  });
  assert.equal(journal.completeUpToMs(), nine + 4);
  await written;
  assert.equal(journal.completeUpToMs(), clock.now() - 1);
});
