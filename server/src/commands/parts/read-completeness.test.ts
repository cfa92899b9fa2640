import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { failToRead } from '../../files/test-faulty-disk.ts';
import { workerFolder } from '../../files/worker-folders.ts';
import { segmentPath } from '../../journal/segment-file.ts';
import { appendEach, openTestJournal, payloads, useFolders } from '../../journal/test-journal.ts';
import { openLedger } from '../../loader/open-ledger.ts';
import { batchOf } from '../../loader/test-ledger.ts';
import type { Store } from '../../store/open-store.ts';
import { readCompleteness } from './read-completeness.ts';

const makeFolder = useFolders();
const nine = Date.parse('2026-03-10T09:00:00Z');

/** A worker whose records were received so many milliseconds after nine, and are not in the store yet. */
async function openWorker(t: TestContext, dataDir: string, worker: number, waitingFrom?: number) {
  const folder = workerFolder(dataDir, worker).journal;
  await mkdir(folder, { recursive: true });
  const ledger = await openLedger({ folder });
  t.after(() => ledger.close());
  const journal = await openTestJournal(t, folder, { node: ledger.node });
  if (waitingFrom !== undefined) await appendEach(journal, payloads(3, waitingFrom));
  return ledger.node;
}

const storeWith = (latest: Record<string, number>) => {
  const rows = Object.entries(latest).map(([node, latest_ms]) => ({ node, latest_ms }));
  return { query: async () => rows } as unknown as Pick<Store, 'query'>;
};

test('a command counts on the records up to the first that a worker has yet to load', async (t) => {
  const dataDir = await makeFolder();
  const clock = createFakeClock('2026-03-10T09:01:00Z');
  const read = (latest: Record<string, number>) => readCompleteness(storeWith(latest), dataDir, clock);
  const first = await openWorker(t, dataDir, 1);
  assert.equal(await read({}), clock.now());
  assert.equal(await read({ [first]: nine + 900 }), nine + 900);
  const second = await openWorker(t, dataDir, 2, 500);
  assert.equal(await read({ [first]: nine + 900 }), nine + 499, 'the second worker is behind');
  const both = { [first]: nine + 900, [second]: nine + 501 };
  assert.equal(await read(both), nine + 501, 'it has just loaded some of them');
  clock.pass(3 * 86_400_000);
  assert.equal(await read({ [first]: clock.now() - 5 }), clock.now() - 5, 'nobody loads them anymore');
});

test('a worker that has had no record for long holds back no other', async (t) => {
  const dataDir = await makeFolder();
  const clock = createFakeClock('2026-03-10T09:01:00Z');
  const first = await openWorker(t, dataDir, 1);
  const second = await openWorker(t, dataDir, 2);
  // Its last batch, of one second after midnight, has arrived, but was not verified yet.
  const ledger = await openLedger({ folder: workerFolder(dataDir, 2).journal });
  await ledger.addBatch(batchOf(1, 1));
  await ledger.close();
  const store = storeWith({ [first]: nine + 900, [second]: Date.parse('2026-03-10T00:00:01Z') });
  assert.equal(await readCompleteness(store, dataDir, clock), nine + 900);
});

test('a worker whose journal the disk cannot read holds the others back to what it has loaded', async (t) => {
  const dataDir = await makeFolder();
  const clock = createFakeClock('2026-03-10T09:01:00Z');
  const first = await openWorker(t, dataDir, 1);
  const second = await openWorker(t, dataDir, 2, 500);
  failToRead(t, { path: segmentPath(workerFolder(dataDir, 2).journal, 1), from: 0, to: 4096 });
  const store = storeWith({ [first]: nine + 900, [second]: nine + 300 });
  assert.equal(await readCompleteness(store, dataDir, clock), nine + 300);
});
