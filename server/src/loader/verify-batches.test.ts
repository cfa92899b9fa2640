import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { IsWanted } from '../core/wanted-row.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { payloadOf, useFolders } from '../journal/test-journal.ts';
import { openLedger } from './open-ledger.ts';
import { openLoaderAndStore } from './test-loader.ts';
import { verifyBatches } from './verify-batches.ts';

const makeFolder = useFolders();
const isWanted = () => true;

async function makeLedger() {
  const folder = await makeFolder();
  await writeFile(segmentPath(folder, 1), '');
  const ledger = await openLedger({ folder });
  await ledger.setStore('store-1');
  for (const batch of [1, 2]) {
    const months = { '202603': batch * 10 };
    await ledger.addBatch({
      batch,
      segment: 1,
      from: 0,
      to: 1,
      months,
      firstReceivedAt: 'a',
      lastReceivedAt: 'b',
    });
  }
  await ledger.close();
  return { folder, node: ledger.node };
}

/** Each count takes as long as said, on a clock that stands still otherwise. */
function storeWith(t: TestContext, takesMs: number, ...counts: [first: number, second: number][]) {
  let nowMs = 0;
  let questions = 0;
  t.mock.method(performance, 'now', () => nowMs);
  return {
    questions: () => questions,
    uuid: async () => 'store-1',
    async countBatches() {
      nowMs += takesMs;
      const [first, second] = counts[Math.min(questions++, counts.length - 1)]!;
      return [
        { batch: 1, month: 202603, rows: first },
        { batch: 2, month: 202603, rows: second },
      ];
    },
  };
}

test('reports batches and rows that the store has in full', async (t) => {
  const { folder, node } = await makeLedger();
  const before = await readFile(join(folder, 'ledger'));
  assert.deepEqual(await verifyBatches({ folder, store: storeWith(t, 1, [10, 20]), isWanted }), {
    ...{
      node,
      storeUuid: 'store-1',
      isSameStore: true,
      batches: 2,
      rows: 30,
      differences: [],
      forgottenRows: 0,
    },
  });
  assert.deepEqual(await readFile(join(folder, 'ledger')), before, 'nothing is changed');
});

test('waits for a batch that is under way', async (t) => {
  const { folder } = await makeLedger();
  const store = storeWith(t, 100, [10, 0], [10, 20]);
  assert.deepEqual((await verifyBatches({ folder, store, isWanted }))!.differences, []);
  assert.equal(store.questions(), 2);
});

test('reports a difference that stays', async (t) => {
  const { folder } = await makeLedger();
  const store = storeWith(t, 3000, [10, 40]);
  assert.deepEqual((await verifyBatches({ folder, store, isWanted }))!.differences, [
    { batch: 2, month: '202603', expected: 20, found: 40 },
  ]);
});

test('says when the store is not the one that was loaded, and when nothing was ever loaded', async (t) => {
  const { folder } = await makeLedger();
  const store = { ...storeWith(t, 1, [10, 20]), uuid: async () => 'store-2' };
  assert.equal((await verifyBatches({ folder, store, isWanted }))!.isSameStore, false);
  assert.equal(await verifyBatches({ folder: await makeFolder(), store, isWanted }), undefined);
});

test('rows that are left out on purpose are no difference, and others still are', async (t) => {
  const { folder, store, ledger, append, start, settle, close } = await openLoaderAndStore(
    t,
    await makeFolder(),
  );
  await append([1, 2, 1, 2, 2].map((websiteId, index) => payloadOf(index, { websiteId })));
  start();
  await settle();
  await close();
  const verify = (isWanted: IsWanted, found: number) => {
    const counts = async () => (found === 0 ? [] : [{ batch: 1, month: 202603, rows: found }]);
    let nowMs = 0;
    t.mock.method(performance, 'now', () => {
      nowMs += 3000;
      return nowMs;
    });
    return verifyBatches({ folder, store: { uuid: () => store.uuid(), countBatches: counts }, isWanted });
  };
  assert.equal(ledger.state.batches.size, 1);
  const isFirst: IsWanted = ({ websiteId }) => websiteId === 1;
  assert.deepEqual((await verify(isFirst, 2))!.differences, []);
  assert.deepEqual((await verify(() => false, 0))!.differences, []);
  const difference = { batch: 1, month: '202603', expected: 5 };
  assert.deepEqual((await verify(isWanted, 2))!.differences, [{ ...difference, found: 2 }]);
  assert.deepEqual((await verify(isFirst, 1))!.differences, [{ ...difference, found: 1 }]);
  assert.deepEqual((await verify(isFirst, 3))!.differences, [{ ...difference, found: 3 }]);
});
