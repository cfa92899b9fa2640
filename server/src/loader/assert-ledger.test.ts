import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { payloads, useFolders } from '../journal/test-journal.ts';
import type { Batch } from './ledger-lines.ts';
import { type Ledger, openLedger } from './open-ledger.ts';
import { openLoaderAndStore } from './test-loader.ts';

const makeFolder = useFolders();
const receivedAt = '2026-03-10 09:00:00.000';

function batchOf(batch: number, from: number, to: number): Batch {
  const months = { '202603': 1 };
  return { batch, segment: 1, from, to, months, firstReceivedAt: receivedAt, lastReceivedAt: receivedAt };
}

async function openWithTwo() {
  const folder = await makeFolder();
  await writeFile(segmentPath(folder, 1), '');
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 100, 200));
  await ledger.addBatch(batchOf(2, 200, 300));
  return { folder, ledger };
}

for (const [what, work] of Object.entries<(ledger: Ledger) => Promise<void>>({
  'begins within the one before': (ledger) => ledger.addBatch(batchOf(3, 250, 400)),
  'ends before it begins': (ledger) => ledger.addBatch(batchOf(3, 400, 300)),
  'has another place than before': (ledger) => ledger.recountBatch(batchOf(2, 200, 350)),
  'is put in twice': (ledger) => ledger.replaceBatches([batchOf(1, 100, 200), batchOf(1, 200, 300)]),
  'is put in before an earlier one': (ledger) =>
    ledger.replaceBatches([batchOf(2, 200, 300), batchOf(1, 100, 200)]),
  'has a number that was used before': async (ledger) => {
    ledger.skipTo(3);
    await ledger.addBatch(batchOf(3, 300, 400));
  },
})) {
  test(`writes nothing about a batch that ${what}`, async () => {
    const { folder, ledger } = await openWithTwo();
    const before = await readFile(join(folder, 'ledger'), 'utf8');
    await assert.rejects(work(ledger), assert.AssertionError);
    assert.equal(await readFile(join(folder, 'ledger'), 'utf8'), before);
    assert.deepEqual([...ledger.state.batches.keys()], [1, 2]);
    await ledger.close();
  });
}

test('a batch keeps its place when its counts are rewritten', async () => {
  const { ledger } = await openWithTwo();
  await ledger.recountBatch({ ...batchOf(1, 100, 200), months: { '202603': 7 } });
  assert.deepEqual(ledger.state.batches.get(1)?.months, { '202603': 7 });
  assert.deepEqual(ledger.state.batchedTo, { segment: 1, offset: 300 });
  await ledger.close();
});

test('the loader ends on a broken invariant, and does not try again', async (t) => {
  const broken: Error[] = [];
  const parts = await openLoaderAndStore(t, await makeFolder(), {
    maxRows: 5,
    onBroken: (error) => broken.push(error),
  });
  const { ledger, store } = parts;
  await parts.append(payloads(20));
  // The loader never sees what it has written down, so it makes its first batch a second time.
  const staleState = structuredClone(ledger.state);
  const loader = parts.start({ ledger: { ...ledger, state: staleState } });
  await waitFor('the end of the loader', () => broken.length > 0);
  assert.ok(broken[0] instanceof assert.AssertionError);
  assert.match(broken[0].message, /Batch 1 must have a new number/);
  assert.equal(loader.isVerifiedTo({ segment: 1, offset: 0 }), false, 'the journal keeps its segments');
  loader.retryNow();
  await loader.stop({ withinMs: 300_000 });
  assert.equal(broken.length, 1);
  assert.equal(store.inserts.length, 1, 'no record is in the store twice');
});
