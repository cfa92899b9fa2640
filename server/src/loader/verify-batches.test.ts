import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { damage, payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import { openLoaderAndStore } from './test-loader.ts';
import { verifyBatches } from './verify-batches.ts';

const makeFolder = useFolders();
const isWanted = () => true;

/** A folder and a store with these records, in batches of ten. */
async function load(t: TestContext, records: readonly string[]) {
  const loaded = await openLoaderAndStore(t, await makeFolder(), { maxRows: 10 });
  await loaded.append(records);
  loaded.start();
  await loaded.settle();
  await loaded.close();
  const verify = async (wanted: IsWanted = isWanted, patienceMs = 0) =>
    (await verifyBatches({
      folder: loaded.folder,
      store: loaded.store,
      otherNodes: new Set(),
      isWanted: wanted,
      patienceMs,
    }))!;
  return { ...loaded, verify };
}

test('reports batches and rows that the store has in full', async (t) => {
  const { folder, store, ledger, verify } = await load(t, payloads(30));
  const before = await readFile(join(folder, 'ledger'));
  assert.deepEqual(await verify(), {
    node: ledger.node,
    storeUuid: await store.uuid(),
    isSameStore: true,
    batches: 3,
    rows: 30,
    unwantedRows: 0,
    waitingRows: 0,
    differences: [],
    gaps: [],
    forgottenRows: 0,
  });
  assert.deepEqual(await readFile(join(folder, 'ledger')), before, 'nothing is changed');
});

test('waits for a batch in progress', async (t) => {
  const { store, verify } = await load(t, payloads(30));
  const listKeys = store.listKeys.bind(store);
  const listed = t.mock.method(store, 'listKeys', async (range: Parameters<typeof listKeys>[0]) =>
    listed.mock.callCount() === 0 ? [] : listKeys(range),
  );
  assert.deepEqual((await verify(isWanted, 60_000)).differences, []);
  assert.equal(listed.mock.callCount(), 2);
});

/** A folder whose first thirty records are loaded, and another ten that are not. */
async function loadAndAppend(t: TestContext) {
  const loaded = await load(t, payloads(30));
  const again = await loaded.reopen();
  await again.append(payloads(10, 31));
  return { ...loaded, again };
}

test('counts what was not loaded yet', async (t) => {
  const { verify } = await loadAndAppend(t);
  const { rows, waitingRows, differences } = await verify();
  assert.deepEqual({ rows, waitingRows, differences }, { rows: 30, waitingRows: 10, differences: [] });
});

test('does not wait for what is gone, or for what arrives while it compares', async (t) => {
  const { store, again, verify } = await loadAndAppend(t);
  await again.append([50, 51].map((number) => payloadOf(number, { websiteId: 2 })));
  const listKeys = store.listKeys.bind(store);
  t.mock.method(store, 'listKeys', async (range: Parameters<typeof listKeys>[0]) => {
    await again.append(payloads(5, 60));
    return listKeys(range);
  });
  assert.equal((await verify(({ websiteId }) => websiteId === 1)).waitingRows, 10);
});

test('a batch that came while it compares is no difference', async (t) => {
  const { store, again, verify } = await loadAndAppend(t);
  again.start();
  await again.settle();
  const listKeys = store.listKeys.bind(store);
  const newest = () => Math.max(...again.ledger.state.batches.keys());
  t.mock.method(store, 'listKeys', async (range: Parameters<typeof listKeys>[0]) => {
    const before = newest();
    await again.append(payloads(5, 100 + 10 * before));
    await again.settle();
    const found = await listKeys(range);
    return found.filter(({ batch }) => batch < before);
  });
  assert.deepEqual((await verify()).differences, []);
});

test('counts what was not loaded although the ledger is lost', async (t) => {
  const { folder, verify } = await loadAndAppend(t);
  await rm(join(folder, 'ledger'));
  assert.equal((await verify()).waitingRows, 10);
});

test('reports a lasting difference', async (t) => {
  const { store, verify } = await load(t, payloads(30));
  store.removeRow(12);
  store.removeRow(12);
  assert.deepEqual((await verify()).differences, [
    { batch: 2, month: '202603', expected: 10, found: 8, missing: 2, surplus: 0 },
  ]);
});

test('reports a different store, and one into which nothing was ever loaded', async (t) => {
  const { store, verify } = await load(t, payloads(3));
  store.replace();
  assert.equal((await verify()).isSameStore, false);
  const folder = await makeFolder();
  assert.equal(
    await verifyBatches({ folder, store, otherNodes: new Set(), isWanted, patienceMs: 0 }),
    undefined,
  );
});

test('rows that are left out on purpose are not a difference, but others are', async (t) => {
  const { store, verify } = await load(
    t,
    [1, 2, 1, 2, 2].map((websiteId, index) => payloadOf(index, { websiteId })),
  );
  const isFirst: IsWanted = ({ websiteId }) => websiteId === 1;
  const removeOf = (websiteId: number) =>
    store.removeRow(store.rows().findIndex(({ payload }) => JSON.parse(payload)[1] === websiteId));
  for (let count = 0; count < 3; count += 1) removeOf(2);
  const report = await verify(isFirst);
  assert.deepEqual([report.differences, report.unwantedRows], [[], 3]);
  assert.deepEqual((await verify(() => false)).differences, []);
  assert.equal((await verify()).differences[0]!.missing, 3);
  removeOf(1);
  assert.equal((await verify(isFirst)).differences[0]!.missing, 1);
});

test('names unreadable parts of the journal, and misses their rows only if the store does', async (t) => {
  const { folder, store, verify } = await load(t, payloads(5));
  await damage(folder, 1, (bytes) => {
    bytes[bytes.indexOf('record 2')]! ^= 1;
  });
  const report = await verify();
  assert.equal(report.gaps.length, 1);
  assert.deepEqual(report.differences, []);
  store.removeRow(1);
  assert.equal((await verify()).differences[0]!.missing, 1);
});

test('records of another server that have the keys of ours are no difference in a shared store', async (t) => {
  const { folder, store, verify } = await load(t, payloads(5));
  for (const row of [...store.rows()]) store.addRow({ ...row, node: 'another' });
  assert.equal((await verify()).differences[0]!.surplus, 5);
  const verifyShared = async () =>
    (await verifyBatches({ folder, store, otherNodes: new Set(), isWanted, patienceMs: 0, isShared: true }))!
      .differences;
  assert.deepEqual(await verifyShared(), []);
  store.removeRow(2);
  assert.equal((await verifyShared())[0]!.missing, 1, 'those of another server are not taken for ours');
});
