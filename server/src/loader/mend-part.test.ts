import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { payloads, useFolders } from '../journal/test-journal.ts';
import { openLoaderAndStore } from './test-loader.ts';

const makeFolder = useFolders();

test('a part that is found damaged again while it is being mended is mended once', async (t) => {
  const { store, ledger, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  const loader = start();
  await settle();
  const end = ledger.state.batchedTo;
  const released = Promise.withResolvers<void>();
  const salvage = t.mock.method(store, 'salvagePart', async () => {
    await released.promise;
    return { kept: 6 };
  });
  const part = { table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 };
  loader.mend(part);
  await waitFor('the part to be mended', () => salvage.mock.callCount() === 1);
  loader.mend(part);
  released.resolve();
  await waitFor('everything to be compared', () => loader.isVerifiedTo(end));
  assert.equal(salvage.mock.callCount(), 1);
  // The same damage, found later, is new.
  loader.mend(part);
  await waitFor('the part to be mended again', () => salvage.mock.callCount() === 2);
});
