import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { damage, payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import type { ReloadedBatches } from '../store/salvage-part.ts';
import { openLoaderAndStore } from './test-loader.ts';

const makeFolder = useFolders();

test('does not compare batches while their segment is being removed', async (t) => {
  const folder = await makeFolder();
  const broken: Error[] = [];
  const parts = await openLoaderAndStore(t, folder, { onBroken: (error) => broken.push(error) });
  const { store, engine, journal, ledger, append, settle } = parts;
  await append(payloads(6));
  await journal.rotate();
  const loader = parts.start({ engine: { ...engine, hasBrokenParts: () => true } });
  await settle();
  // The removal has checked that the segment is verified. Then the store loses a row that the journal can't
  // read either, and one that it can. A comparison would load that one again and recount the batch.
  const released = Promise.withResolvers<void>();
  const removal = loader.runRemoval(async () => {
    await released.promise;
    await journal.remove(1);
    await ledger.forgetSegment(1);
  });
  await damage(folder, 1, (bytes) => {
    bytes[bytes.indexOf('record 2')]! ^= 1;
  });
  for (const number of [2, 3])
    store.removeRow(store.rows().findIndex(({ payload }) => payload === payloadOf(number)));
  const insert = store.insertBatch.bind(store);
  t.mock.method(store, 'insertBatch', async (batch: Parameters<typeof insert>[0]) => {
    released.resolve();
    await removal;
    return insert(batch);
  });
  const uuid = t.mock.method(store, 'uuid');
  engine.stop();
  engine.start();
  await waitFor('the loader to prepare the store', () => uuid.mock.callCount() > 0);
  await append(payloads(2, 7));
  released.resolve();
  await removal;
  await waitFor('the later records', () => broken.length > 0 || parts.isLoaded());
  assert.deepEqual(broken, []);
  await settle();
  assert.deepEqual(store.payloads(), [...payloads(6).toSpliced(1, 2), ...payloads(2, 7)]);
  assert.deepEqual(await parts.damage.list(), []);
  assert.equal(ledger.state.forgotten.rows, 6);
});

test('does not mend a damaged part while a segment that still has its rows is being removed', async (t) => {
  const { store, journal, ledger, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  await journal.rotate();
  const loader = start();
  await settle();
  const end = ledger.state.batchedTo;
  const released = Promise.withResolvers<void>();
  const removal = loader.runRemoval(async () => {
    await released.promise;
    await journal.remove(1);
    await ledger.forgetSegment(1);
  });
  // Rows of batches that are left to the journal are not salvaged, so they would be lost with the segment.
  const leftToJournal: unknown[] = [];
  const salvage = t.mock.method(store, 'salvagePart', async (_part: unknown, reloaded: ReloadedBatches) => {
    leftToJournal.push(...reloaded.ranges);
    return { kept: 6 };
  });
  loader.mend({ table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 });
  await waitFor('the loader to begin', () => !loader.isVerifiedTo(end));
  for (let turn = 0; turn < 200 && salvage.mock.callCount() === 0; turn += 1) await new Promise(setImmediate);
  released.resolve();
  await removal;
  await waitFor('the part to be mended', () => salvage.mock.callCount() === 1);
  assert.deepEqual(leftToJournal, []);
});

test('a failed removal holds up neither the loader nor the next removal', async (t) => {
  const { store, engine, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(3));
  const loader = start();
  await settle();
  await assert.rejects(
    loader.runRemoval(() => Promise.reject(new Error('EIO'))),
    /EIO/,
  );
  engine.stop();
  engine.start();
  await append(payloads(3, 4));
  await settle();
  assert.deepEqual(store.payloads(), payloads(6));
  await loader.runRemoval(async () => {});
});
